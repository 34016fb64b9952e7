#include "transport/local_socket.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

#include "transport/memory.hpp"

namespace railgauge::transport {
namespace {

TEST(LocalSocket, HandsFilesOverInOrder) {
  const LocalListener listener = listen_locally();
  const FileHandle caller = connect_locally(listener.address, 1);
  const FileHandle file = make_shared_memory(100);
  send_file(caller, file, 7);
  send_file(caller, make_shared_memory(200), 8);
  const LocalCaller accepted = accept_locally(listener);
  EXPECT_EQ(accepted.process, getpid());
  const ReceivedFile first = receive_file(accepted.socket);
  EXPECT_EQ(first.word, 7U);
  EXPECT_EQ(SharedMapping::of(first.file), SharedMapping::of(file));
  EXPECT_EQ(receive_file(accepted.socket).word, 8U);
}

TEST(LocalSocket, WaitsForNobody) {
  const LocalListener listener = listen_locally();
  EXPECT_THROW((void)accept_locally(listener), std::system_error);
  const FileHandle caller = connect_locally(listener.address, 1);
  const LocalCaller accepted = accept_locally(listener);
  EXPECT_THROW((void)receive_file(accepted.socket), std::system_error);
}

TEST(LocalSocket, SaysWhoseEndIsGone) {
  const LocalListener listener = listen_locally();
  { const FileHandle caller = connect_locally(listener.address, 1); }
  const LocalCaller accepted = accept_locally(listener);
  EXPECT_THROW((void)receive_file(accepted.socket), std::runtime_error);
}

TEST(LocalSocket, NamesTheRankThatIsNotHere) {
  LocalAddress gone{};
  { gone = listen_locally().address; }
  try {
    (void)connect_locally(gone, 5);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("rank 5 is not found on this host"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace railgauge::transport
