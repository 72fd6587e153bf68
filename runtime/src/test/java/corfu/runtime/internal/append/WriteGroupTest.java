package corfu.runtime.internal.append;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.TokenSeal;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.internal.ScriptedServers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The seals of the tokens in one request. */
final class WriteGroupTest {

  private final ScriptedServers servers = new ScriptedServers();
  private final WriteGroup group = new WriteGroup();

  @AfterEach
  void close() {
    servers.close();
  }

  private PendingAppend append(long token, Optional<TokenSeal> seal) {
    PendingAppend append =
        new PendingAppend(
            new AppendId(1, token),
            TokenWish.PLAIN,
            AsOf.DECIDED,
            ByteBuffer.wrap(new byte[] {1}),
            servers.deadline());
    append.take(token, List.of(), seal, servers.layout());
    return append;
  }

  private static Optional<TokenSeal> seal(long first, int count) {
    return Optional.of(new TokenSeal(1, first, count, first, count));
  }

  @Test
  void appendsWithTokensOfOneReplyShareItsSeal() {
    for (long token = 0; token < 10; token++) {
      assertThat(group.add(append(token, seal(0, 10)))).isTrue();
    }

    LogUnitRequest.Write write = group.write(servers.layout().epoch());

    assertThat(write.entries()).hasSize(10);
    assertThat(write.seals()).containsExactly(seal(0, 10).orElseThrow());
  }

  @Test
  void appendsWithOneSealTooManyWaitForTheNextRequest() {
    int most = LogUnitRequest.Write.MOST_SEALS;
    for (long token = 0; token < most; token++) {
      assertThat(group.add(append(token, seal(token, 1)))).isTrue();
    }

    assertThat(group.add(append(most, seal(most, 1)))).isFalse();
    assertThat(group.add(append(0, seal(0, 1)))).isTrue();
    assertThat(group.write(servers.layout().epoch()).seals()).hasSize(most);
  }

  @Test
  void appendsWithoutSealsNeedNone() {
    assertThat(group.add(append(0, Optional.empty()))).isTrue();
    assertThat(group.write(servers.layout().epoch()).seals()).isEmpty();
  }
}
