#include "metrics/exporter.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "metrics/registry.hpp"

namespace railgauge::metrics {
namespace {

constexpr Metric kBytes{.name = "a_bytes", .help = "Bytes."};
constexpr Metric kEvents{.name = "b_total", .kind = Kind::counter, .help = "Events."};

Snapshot with(double value) {
  Registry registry;
  registry.set(kBytes, {}, value);
  registry.add(kEvents, {}, value);
  return registry.snapshot();
}

Target any_port() {
  return {.address = "127.0.0.1"};
}

std::uint16_t port_of(const Exporter& exporter) {
  const std::string place = exporter.place();
  return static_cast<std::uint16_t>(std::stoi(place.substr(place.rfind(':') + 1)));
}

/// A connection that gives up after ten seconds.
int connected(std::uint16_t port) {
  const int number = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* to = reinterpret_cast<const sockaddr*>(&address);
  EXPECT_EQ(::connect(number, to, sizeof address), 0);
  return number;
}

/// All that is answered to a request, which asks for the connection to be closed.
std::string answer(std::uint16_t port, const std::string& first) {
  const int number = connected(port);
  const std::string request = first + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(::send(number, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::recv(number, part.data(), part.size(), 0)) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(number);
  return text;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Exporter, ShowsTheLastSnapshot) {
  Exporter exporter(any_port());
  EXPECT_TRUE(exporter.place().starts_with("http://127.0.0.1:")) << exporter.place();
  EXPECT_TRUE(exporter.place().ends_with("/metrics"));
  EXPECT_TRUE(answer(port_of(exporter), "GET /metrics").starts_with("HTTP/1.1 200"));
  exporter.publish(with(1));
  EXPECT_TRUE(has(answer(port_of(exporter), "GET /metrics"), "\na_bytes 1\n"));
  exporter.publish(with(2));
  EXPECT_TRUE(has(answer(port_of(exporter), "GET /metrics"), "\na_bytes 2\n"));
}

TEST(Exporter, SaysTheFormat) {
  Exporter exporter(any_port());
  exporter.publish(with(1));
  const std::string plain = answer(port_of(exporter), "GET /metrics");
  EXPECT_TRUE(has(plain, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n")) << plain;
  EXPECT_TRUE(has(plain, "# TYPE b_total counter\n"));
}

TEST(Exporter, AnswersNothingElse) {
  Exporter exporter(any_port());
  EXPECT_TRUE(answer(port_of(exporter), "GET /").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(answer(port_of(exporter), "GET /metrics/../etc").starts_with("HTTP/1.1 404"));
  EXPECT_TRUE(answer(port_of(exporter), "POST /metrics").starts_with("HTTP/1.1 405"));
  EXPECT_TRUE(answer(port_of(exporter), "nonsense").starts_with("HTTP/1.1 4"));
  EXPECT_TRUE(answer(port_of(exporter), "GET /metrics").starts_with("HTTP/1.1 200"));
}

TEST(Exporter, IsNotHeldUpByWhoAsksNothing) {
  Exporter exporter(any_port());
  const int idle = connected(port_of(exporter));
  exporter.publish(with(3));
  EXPECT_TRUE(has(answer(port_of(exporter), "GET /metrics"), "\na_bytes 3\n"));
  ::close(idle);
}

TEST(Exporter, PublishesWhileOthersRead) {
  Exporter exporter(any_port());
  exporter.publish(with(0));
  std::atomic<bool> done = false;
  std::thread reader([&] {
    for (int i = 0; i < 20; ++i) {
      const std::string text = answer(port_of(exporter), "GET /metrics");
      const std::size_t gauge = text.find("\na_bytes ");
      const std::size_t counter = text.find("\nb_total ");
      ASSERT_NE(gauge, std::string::npos);
      ASSERT_NE(counter, std::string::npos);
      const auto line = [&](std::size_t begin) {
        const std::size_t space = text.find(' ', begin);
        return text.substr(space, text.find('\n', space) - space);
      };
      EXPECT_EQ(line(gauge + 1), line(counter + 1)) << "both are of one snapshot";
    }
    done = true;
  });
  for (double value = 1; !done; ++value) exporter.publish(with(value));
  reader.join();
}

TEST(Exporter, LeavesSignalsToOthers) {
  const Exporter exporter(any_port());
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGUSR1);
  sigset_t before;
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &only, &before), 0);
  ASSERT_EQ(sigismember(&before, SIGUSR1), 0) << "this thread takes them as it did";
  ::kill(::getpid(), SIGUSR1);  // would end the process if the server's thread took it
  const timespec limit{.tv_sec = 10, .tv_nsec = 0};
  EXPECT_EQ(::sigtimedwait(&only, nullptr, &limit), SIGUSR1);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(Exporter, SaysThatAPortIsTaken) {
  const Exporter first(any_port());
  Target same = any_port();
  same.port = port_of(first);
  try {
    const Exporter second(same);
    FAIL() << "it was taken twice";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::address_in_use);
    EXPECT_TRUE(has(error.what(), "127.0.0.1 port " + std::to_string(same.port))) << error.what();
  }
}

TEST(Exporter, GivesThePortBack) {
  Target same = any_port();
  {
    const Exporter first(any_port());
    same.port = port_of(first);
    EXPECT_TRUE(answer(same.port, "GET /metrics").starts_with("HTTP/1.1 200"));
  }
  EXPECT_EQ(port_of(Exporter(same)), same.port);
}

/// node_exporter refuses a series that two files of its folder have.
TEST(Exporter, FilesOfTwoRunsInAFolderHaveNoSeriesInCommon) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("railgauge-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::set<std::string> series;
  std::size_t lines = 0;
  for (const char* const name : {"monday.prom", "tuesday.prom"}) {
    Exporter exporter({.file = folder / name});
    exporter.publish(with(1));
    std::ifstream text(folder / name);
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("#")) continue;
      series.insert(line.substr(0, line.rfind(' ')));
      ++lines;
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(lines, 4U);
  EXPECT_EQ(series.size(), lines);
  EXPECT_TRUE(series.contains("a_bytes{file=\"monday\"}"));
}

}  // namespace
}  // namespace railgauge::metrics
