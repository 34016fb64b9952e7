#include <cctype>

#include "manual/manual.hpp"

namespace railgauge::manual {
namespace {

/// A name for a shell's function.
std::string function_of(const std::string& program) {
  std::string name = "_";
  for (const char c : program) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

std::string last_word(const std::string& program) {
  return program.substr(program.rfind(' ') + 1);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// Words of a command that may come next: its options and sub-commands.
std::string words_of(const Manual& manual) {
  std::vector<std::string> words;
  for (const Manual& command : manual.commands) words.push_back(last_word(command.program));
  for (const Option& option : manual.options) {
    for (std::string& name : split_names(option.names)) words.push_back(std::move(name));
  }
  return joined(words, " ");
}

/// Below the program's own name: " schedule show" of "railgauge schedule show".
std::string path_of(const Manual& manual) {
  const std::size_t blank = manual.program.find(' ');
  return blank == std::string::npos ? "" : manual.program.substr(blank);
}

/// Every command, its parents before it.
void flatten(const Manual& manual, std::vector<const Manual*>& all) {
  all.push_back(&manual);
  for (const Manual& command : manual.commands) flatten(command, all);
}

/// The branches for what follows an option. Where it may be anything, the shell completes files.
std::string bash_values(const Manual& manual) {
  std::string text;
  for (const Option& option : manual.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : split_names(option.names)) {
      patterns.push_back("'" + path_of(manual) + " " + name + "'");
    }
    text += "    " + joined(patterns, " | ") + ") " +
            (option.words.empty() ? "return" : "values='" + joined(option.words, " ") + "'") +
            " ;;\n";
  }
  return text;
}

/// For zsh's _arguments: no brackets, colons or quotes of its own.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_value(const Option& option) {
  if (option.value.empty()) return "";
  const std::string what = ":" + zsh_text(option.value) + ":";
  if (takes_file(option)) return what + "_files";
  if (option.words.empty()) return what + " ";
  return what + (option.is_list ? "_sequence compadd - " : "(") + joined(option.words, " ") +
         (option.is_list ? "" : ")");
}

std::string zsh_option(const Option& option) {
  const auto names = split_names(option.names);
  const std::string excluded = names.size() > 1 ? "'(" + joined(names, " ") + ")'" : "";
  const std::string name = names.size() > 1 ? "{" + joined(names, ",") + "}" : names.front();
  return "    " + excluded + name + "'[" + zsh_text(option.about) + "]" + zsh_value(option) +
         "' \\\n";
}

std::string zsh_function(const Manual& manual) {
  std::string text = function_of(manual.program) +
                     "() {\n  local curcontext=$curcontext state line\n  typeset -A opt_args\n  "
                     "_arguments -C \\\n";
  for (const Option& option : manual.options) text += zsh_option(option);
  if (manual.commands.empty() || !manual.arguments.empty()) {
    return text + (manual.arguments.empty() ? "    && return\n}\n" : "    '*:file:_files'\n}\n");
  }
  std::string names;
  std::string branches;
  for (const Manual& command : manual.commands) {
    const std::string name = last_word(command.program);
    names += name + "\\:\"" + zsh_text(command.about) + "\" ";
    branches += "    " + name + ") " + function_of(command.program) + " ;;\n";
  }
  return text + "    '1:command:((" + names + "))' '*::argument:->argument'\n  case $line[1] in\n" +
         branches + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::vector<const Manual*> all;
  flatten(manual, all);
  std::string paths;
  std::string values;
  std::string words;
  for (const Manual* one : all) {
    if (one != &manual) paths += "      '" + path_of(*one) + "') path='" + path_of(*one) + "' ;;\n";
    values += bash_values(*one);
    words += "    '" + path_of(*one) + "') words='" + words_of(*one) + "' ;;\n";
  }
  const std::string function = function_of(manual.program);
  return "# bash completion of " + manual.program + ", written by its --completion bash\n" +
         function +
         "() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local path='' values='' words='' one\n"
         "  for one in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    case \"$path $one\" in\n" +
         paths +
         "      *) ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$path $before\" in\n" +
         values +
         "    *) ;;\n"
         "  esac\n"
         "  if [[ -n $values ]]; then  # in a list, what stands before the last comma stays\n"
         "    local kept=${word%\"${word##*,}\"}\n"
         "    mapfile -t COMPREPLY < <(compgen -P \"$kept\" -W \"$values\" -- \"${word##*,}\")\n"
         "    return\n"
         "  fi\n"
         "  case $path in\n" +
         words +
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -o bashdefault -o default -F " +
         function + " " + manual.program + "\n";
}

std::string zsh_completion(const Manual& manual) {
  std::vector<const Manual*> all;
  flatten(manual, all);
  std::string text = "#compdef " + manual.program + "\n# written by its --completion zsh\n";
  for (const Manual* one : all) text += zsh_function(*one);
  return text + function_of(manual.program) + " \"$@\"\n";
}

}  // namespace railgauge::manual
