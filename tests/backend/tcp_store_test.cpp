// SPDX-License-Identifier: Apache-2.0
#include "comm/tcp_store.h"

#include "clock.h"
#include "process.h"

#include <array>
#include <gtest/gtest.h>
#include <thread>

namespace sbtrain::test {
namespace {

struct Served {
    HostPort at{"127.0.0.1", static_cast<std::uint16_t>(free_port())};
    std::unique_ptr<TcpStoreServer> server;

    Served()
    {
        auto started = TcpStoreServer::start(at, 8);
        EXPECT_TRUE(started);
        server = std::move(*started);
    }
    TcpStoreClient client() const { return std::move(*TcpStoreClient::connect(at, 5.0)); }
};

TEST(TcpStore, GivesBackWhatWasSet)
{
    const Served served;
    TcpStoreClient client = served.client();
    const std::string value("a\0b", 3);
    ASSERT_TRUE(client.set("key", value));
    ASSERT_TRUE(client.set("empty", ""));
    EXPECT_EQ(*client.get("key", 5.0), value);
    EXPECT_EQ(*client.get("empty", 5.0), "");
    const std::string large(kMaxStoreValue, 'x');
    ASSERT_TRUE(client.set("large", large));
    EXPECT_EQ(*served.client().get("large", 5.0), large);
}

TEST(TcpStore, WaitsForAKeyThatComesLater)
{
    const Served served;
    TcpStoreClient reader = served.client();
    std::string seen;
    std::thread thread([&] { seen = *reader.get("later", 10.0); });
    ASSERT_TRUE(served.client().set("other", "1"));
    ASSERT_TRUE(served.client().set("later", "2"));
    thread.join();
    EXPECT_EQ(seen, "2");
}

TEST(TcpStore, GivesUpAtItsDeadline)
{
    const Served served;
    const double start_s = monotonic_s();
    const Result<std::string> value = served.client().get("never", 0.2);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().code, ExitCode::Rendezvous);
    EXPECT_LT(monotonic_s() - start_s, 5.0);
}

TEST(TcpStore, NoticesThatTheServerWentAway)
{
    Served served;
    TcpStoreClient client = served.client();
    served.server.reset();
    const Result<std::string> value = client.get("key", 20.0);
    ASSERT_FALSE(value);
    EXPECT_NE(value.error().message.find("went away"), std::string::npos) << value.error().message;
}

TEST(TcpStore, SaysWhereNobodyAnswers)
{
    const HostPort nobody{"127.0.0.1", static_cast<std::uint16_t>(free_port())};
    const Result<TcpStoreClient> client = TcpStoreClient::connect(nobody, 0.2);
    ASSERT_FALSE(client);
    EXPECT_NE(client.error().message.find(std::to_string(nobody.port)), std::string::npos);
}

TEST(TcpStore, RefusesWhatIsTooLarge)
{
    const Served served;
    TcpStoreClient client = served.client();
    EXPECT_FALSE(client.set(std::string(kMaxStoreKey + 1, 'k'), "v"));
    EXPECT_FALSE(client.set("k", std::string(kMaxStoreValue + 1, 'v')));
}

TEST(TcpStore, DropsStrangersAndGoesOn)
{
    const Served served;
    for (const std::string &nonsense :
         {std::string("GET / HTTP/1.0\r\n\r\n"), std::string("SBT1S\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 13),
          std::string("SBT1X\0\0\0\1\0\0\0\0k", 14)}) {
        const Result<Socket> stranger = connect_to(served.at, monotonic_s() + 5.0);
        ASSERT_TRUE(stranger);
        ASSERT_TRUE(send_all(*stranger, nonsense, monotonic_s() + 5.0));
        std::array<char, 1> answer{};
        const double start_s = monotonic_s();
        EXPECT_FALSE(receive_all(*stranger, answer, start_s + 10.0));
        EXPECT_LT(monotonic_s() - start_s, 5.0) << "was not disconnected";
    }
    TcpStoreClient client = served.client();
    EXPECT_TRUE(client.set("key", "value"));
}

TEST(TcpStore, TellsThatThePortIsTaken)
{
    const Served served;
    const auto second = TcpStoreServer::start(served.at, 8);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ExitCode::Rendezvous);
    EXPECT_NE(second.error().message.find("MASTER_PORT"), std::string::npos);
}

} // namespace
} // namespace sbtrain::test
