#!/usr/bin/perl
# Copies stderr, and reads from it what Open MPI says in boxes.
#
# Of a status that is no zero they say that the job has been aborted, where it has come to its end with a verdict, or a
# program of railgauge has called MPI_Abort with 2 to 5, after a message of its own: these boxes are left out. After the
# first one Open MPI sleeps for a second before each signal to its ranks, also if none is left: then SIGCHLD, which it
# heeds anyhow, ends the sleep.
#
# Another box is kept for two seconds, with what follows. If Open MPI ends in that time and no rank has, it is why
# nothing was started: one sentence and status 2 or 5 instead of Open MPI's, which may be that of a verdict or a crash.
#
# usage: show_stderr.pl PROCESS-OF-MPIRUN MPIRUN HOSTS <STDERR
#
# stdin ends with a null, "end" and the status of mpirun, 0 if it is not to be judged. exit status: 2 or 5 if nothing was
# started, 1 if a host was lost, otherwise 0
use strict;
my ($mpirun, $program, $hosts) = @ARGV;
my ($text, $kept, $since, $is_late, $line_begins, $box_ends) = ("", "", 0, 0, 1, 0);
my ($rank_ended, $wakes, $calls_abort, $loses_host) = (0, 0, 0, 0);
my ($began, $starts, $has_started) = (time, 1, 0);

my $end_of_ranks = qr/Primary job .*terminated normally, but |\w+ detected that one or more processes exited/;
my $job_aborted = qr/\A-+\n$end_of_ranks/;
my $program_aborted = qr/\A-+\nMPI_ABORT was invoked on rank .*?errorcode:? +[2-5]\b/is;
my $abort_again = qr/\A-+\nprterun has exited due to process .*calling\s+"abort"/s;
my $said_again = qr{\d+ more process.* / mpi-abort$|Set MCA parameter "\w+_base_help_aggregate"};
my $stdin_of_nobody = qr/PRTE ERROR: A message is attempting to be sent .*\/iof_hnp\.c/;
my $beside_the_point = qr/\A\[\S+\] (?:$said_again|plm:\w+: Warning: setpgid|$stdin_of_nobody)/;
my $host_lost = qr/\A-+\n(?:ORTE|PRTE) has lost communication/;
my $lost_or_ended = qr/noticed that|has exited due to|has lost communication|has detected that a required daemon/;
my $ranks_ran = qr/\A-+\n(?:MPI_ABORT was|The user-provided time limit|\w+ $lost_or_ended)/;
my $from_ssh = qr/ssh: |\S+@\S+: Permission denied|Host key verification failed/;
my $refusal = qr/\A(?:-{50,}\n.|$from_ssh|(?:mpi|orte|prte)\w+: Error: )/;
my $of_open_mpi = qr/-{50}|-\z|\0|^(?:$from_ssh|\w+: Error: |\[\S+\] )/m;
my $longest_box = 8192;
my $said_on_stdout = 213;  # by Open MPI 5, of options that it does not know
# What Open MPI 5 refuses with a status that a rank may have, too.
my $refusal_of_5 = qr/\A-+\n(?:There are not enough slots|The --app <arg>|PRTE has lost|prterun was unable to find)|$from_ssh/;

sub show {
  my $shown = 0;
  while ($shown < length $_[0]) { $shown += syswrite(STDERR, $_[0], length($_[0]) - $shown, $shown) // return }
}

sub release { show($kept); $kept = "" }
sub read_file { open(my $file, "<", $_[0]) or return ""; return join "", <$file> }
sub runs { return read_file("/proc/$_[0]/stat") =~ /.*\) [^ZX]/s }
sub is_silent { vec(my $in = "", fileno(STDIN), 1) = 1; return !select($in, undef, undef, $_[0]) }

sub wake_without_ranks {
  my @lists = glob("/proc/$mpirun/task/*/children");
  $wakes = @lists;  # none: mpirun has ended
  kill "CHLD", $mpirun unless !@lists || grep { runs($_) } map { split " ", read_file($_) } @lists;
}

# Open MPI 5 has a folder, with one for the ranks in it when all hosts have answered.
sub look_for_start {
  my ($folder) = glob(($ENV{TMPDIR} || "/tmp") . "/prterun.*.$mpirun.*/0");
  $has_started = defined $folder && -d $folder =~ s/0$/1/r;
  $starts = !$has_started && (defined $folder || time - $began < 5);
}

# The length of the box at the beginning: 0 if there is none, -1 if it may become one.
sub length_of_box {
  return -1 if $text =~ /\A-{1,90}\z/ && !$is_late;
  return 0 unless $text =~ /\A-{50,90}\n/;
  my $rule = substr $text, 0, $+[0];
  my $end = index $text, "\n$rule", length $rule;
  return $end + 1 + length $rule if $end >= 0 && $end < $longest_box;
  return $is_late || length $text > $longest_box ? 0 : -1;
}

# A whole box, or a line as far as it is there, which a box may end. Nothing yet, if it may become a box or the end.
sub next_piece {
  return "" if $text =~ /\A\0[end \d]*\z/ && !$is_late;
  $line_begins ||= $text =~ /\A-{74}\n/;
  my $length = $line_begins ? length_of_box() : 0;
  return "" if $length < 0;
  $box_ends = $length > 0;
  $length = $text =~ /\A.[^\n\0]*?(?=-{74}\n|\n|\0|\z)\n?/s ? $+[0] : 1 unless $length;
  my $piece = substr $text, 0, $length, "";
  $line_begins = $piece =~ /\n\z/;
  return $piece;
}

sub look_at {
  my $piece = shift;
  $rank_ended = 1 if $piece =~ /^$end_of_ranks/m;
  if ($piece =~ $job_aborted) { $wakes = 1 }
  elsif ($piece =~ $program_aborted) { $rank_ended = $calls_abort = 1 }
  elsif ($piece =~ $beside_the_point || $calls_abort && $piece =~ $abort_again) { }
  elsif ($piece =~ $host_lost && $piece =~ /PRTE/ && !$has_started) { $loses_host = 1; $kept .= $piece }
  elsif ($piece =~ $ranks_ran) {
    $rank_ended = 1;
    $calls_abort ||= $piece =~ /MPI_ABORT/;
    $loses_host ||= $piece =~ $host_lost;
    release();
    show($piece);
  }
  elsif (!$rank_ended && (length $kept || $piece =~ $refusal)) { $kept .= $piece }
  else { release(); show($piece) }
}

sub look {
  if (!length $kept && $text !~ $of_open_mpi) {
    show($text);
    $line_begins = $text =~ /\n\z/ if length $text;
    $text = "";
  }
  $is_late ||= $text =~ /\0end \d+\n/;
  while (length $text) {
    $text =~ s/\A\0(?!end |e?n?d?\z)// if $box_ends;  # Open MPI 5 writes the end of its string
    finish($1) if $text =~ s/\A\0end (\d+)\n//;
    my $piece = length $text ? next_piece() : "";
    last unless length $piece;
    look_at($piece);
  }
}

# Of hosts that do not start Open MPI: ssh names them, or not.
sub why_not_there {
  my @said = map { s/^ssh: |\r//gr } grep { /^$from_ssh/ } split /\n/, $kept;
  my %named = map { $_ => 1 } map { /hostname (\S+?):|to host (\S+)|@(\S+?):/ ? $1 // $2 // $3 : () } @said;
  $named{$1} = 1 if !@said && $kept =~ /^ +Remote daemon: .* on node (\S+)/m;
  my $where = %named ? join ", ", sort keys %named : length $hosts ? "a host of $hosts" : "a host";
  return "Open MPI does not start on $where: " . (@said ? join("; ", @said) : "check ssh to it, and its Open MPI");
}

# What Open MPI says in the first box, as a status and a sentence.
sub translated {
  my ($node) = $kept =~ /^ *(?:Node|Local host): +(\S+)/m;
  my $on = defined $node ? " on $node" : "";
  local $_ = $kept;
  return (5, why_not_there()) if /^$from_ssh/m || /unable to reliably start|daemon has unexpectedly failed|$host_lost/;
  return (2, "Open MPI has not started the ranks: it says why on stdout") if !length;
  return (5, "Open MPI cannot start a rank$on: check its working folder, and its limit of open files (ulimit -n)")
    if /system limit exceeded on number of files/;
  return (2, "Open MPI has no option $1" . (defined $2 ? "; write $1 $2" : ""))
    if /unknown option "([^="]*)(?:=(.*))?"/;
  return (2, "$1 needs a value") if /option "(.*)" did not have enough/;
  return (2, "the option $1 does not take the value \x27$2\x27") if /Option: +(.*)\n +Param: +(.*)/;
  return (2, "$1 ranks do not fit into the slots of the hosts; name more hosts or slots, or add --oversubscribe")
    if /not enough slots .*satisfy the (\d+)\s+slots/s;
  return (2, "-np $1 is more than ppr:$2 allows on these hosts; change --ppn or leave -np out")
    if /Number of procs: +(\d+)\s+PPR: +(\S+)/;
  return (/_perf$|\brailgauge$/m ? 5 : 2, "the program \x27$1\x27 does not exist or cannot be run$on")
    if /^ *(?:Executable|Application name): +(.*)/m;
  return (2, "cannot change to $1$on") if /^Working directory: +(.*)/m;
  return (2, "the host file \x27$1\x27 does not exist or cannot be read") if /unable to open the hostfile:\s+(\S+)/;
  my ($sentence, $rest) = /\A(?:-+\n)?(.*?[.:])\s(.*?)(?:\n-+\n|\z)/s ? ($1, $2) : ($_, "");
  my @values = $sentence =~ /:\z/ ? $rest =~ /\A\s*(.*?)(?:\n\n|\z)/s : $rest =~ /^ *([A-Z#][\w# ]*: +\S.*)/mg;
  my $said = join " ", "Open MPI:", split " ", "$sentence " . join ", ", @values;
  return ($said =~ /intern|_init\(|daemon|system limit|function call|resource|connect|network/i ? 5 : 2, $said);
}

# Open MPI 5 often ends before it has said that a rank did: then a box may be the rank's.
sub is_refusal {
  my ($status) = @_;
  return 0 if !$status || $rank_ended || !length $kept && ($status != $said_on_stdout || $has_started);
  my $is_5 = qx("$program" --version </dev/null 2>/dev/null) =~ /\(Open MPI\) (?:[5-9]|\d\d)/;
  return $is_5 ? $status > 159 || $kept =~ $refusal_of_5 : length $kept;
}

# mpirun has ended. What it left behind may still write.
sub finish {
  my ($ended_with) = @_;
  my ($status, $sentence) = is_refusal($ended_with) ? translated() : (0, "");
  $kept = "launchers/mpirun: $sentence\n" if $status;
  $status ||= $loses_host;
  release();
  $rank_ended = 1;
  exit $status if fork // 1;
}

while (1) {
  my $waits = length $text || length $kept;
  if ($waits && time - $since > 2) { $is_late = 1; look(); release(); $is_late = 0; next }
  if (($wakes || $waits || $starts) && is_silent($wakes ? 0.02 : 0.2)) {
    wake_without_ranks() if $wakes;
    look_for_start() if $starts;
    next;
  }
  sysread(STDIN, $text, 65536, length $text) or last;
  look();
  $since = time unless $waits;
}
$is_late = 1;
look();
release();
