package corfu.runtime.internal.repair;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.session.ClientContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Decides addresses of a chain of two units. */
final class ChainRepairTest {

  private static final Entry DATA =
      Entry.data(0, new AppendId(99, 1), ByteBuffer.wrap(new byte[] {1}));

  private final ScriptedServers servers = new ScriptedServers();
  private final ClientContext context = servers.context(Duration.ofSeconds(30));
  private final ChainRepair repair =
      new ChainRepair(context.world(), context.servers(), context.retryLoop(), context.ids());

  @AfterEach
  void close() {
    servers.close();
  }

  @Test
  void anAddressThatNobodyWroteBecomesAHoleOnAllReplicas() {
    repair.fill(0);

    assertThat(servers.heldBy(HEAD).get(0L).isHole()).isTrue();
    assertThat(servers.heldBy(TAIL).get(0L)).isEqualTo(servers.heldBy(HEAD).get(0L));
  }

  @Test
  void anEntryThatOnlyTheHeadHoldsIsCarriedToTheTail() {
    servers.heldBy(HEAD).put(0L, DATA);

    assertThat(repair.fill(0)).isEqualTo(new ChainRepair.Decision.Holds(DATA));
    assertThat(servers.heldBy(TAIL).get(0L)).isEqualTo(DATA);
  }

  @Test
  void anAddressThatTheHeadHasTrimmedIsTrimmedOnAllReplicas() {
    List<String> trimmed = new ArrayList<>();
    for (var unit : List.of(HEAD, TAIL)) {
      servers.script(
          unit,
          request -> {
            if (request instanceof LogUnitRequest.Trim) {
              trimmed.add(unit.host());
            }
            return request instanceof LogUnitRequest.Write
                ? Optional.of(new LogUnitReply.Writes(List.of(WriteOutcome.Trimmed.TRIMMED)))
                : Optional.empty();
          });
    }

    assertThat(repair.fill(0)).isInstanceOf(ChainRepair.Decision.Gone.class);
    assertThat(trimmed).containsExactly("head", "tail");
  }
}
