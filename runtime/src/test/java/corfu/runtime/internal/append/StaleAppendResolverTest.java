package corfu.runtime.internal.append;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.session.ClientContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Appends whose token belongs to the epoch before. */
final class StaleAppendResolverTest {

  private final ScriptedServers servers = new ScriptedServers();
  private final ClientContext context = servers.context(Duration.ofSeconds(30));
  private final Layout next = servers.layout().next();
  private final StaleAppendResolver resolver =
      new StaleAppendResolver(
          context,
          new ChainRepair(context.world(), context.servers(), context.retryLoop(), context.ids()),
          next,
          servers.deadline());
  private final PendingAppend append =
      new PendingAppend(
          context.ids().get(),
          TokenWish.PLAIN,
          AsOf.DECIDED,
          ByteBuffer.wrap(new byte[] {1}),
          servers.deadline());

  @BeforeEach
  void takeToken() {
    append.take(0, List.of(), Optional.empty(), servers.layout());
  }

  @AfterEach
  void close() {
    servers.close();
  }

  @Test
  void anAppendThatNoHeadWasAskedForGetsANewToken() {
    resolver.settleWithoutEffect(List.of(append));

    assertThat(append.needsToken()).isTrue();
    assertThat(servers.heldBy(HEAD)).isEmpty();
  }

  @Test
  void aRefusedAppendGetsANewTokenIfTheHeadHoldsNothing() {
    append.turnDown();

    resolver.settleWithoutEffect(List.of(append));

    assertThat(append.needsToken()).isTrue();
  }

  @Test
  void aRefusedAppendIsDoneIfAnotherCopyOfItsRequestWasAccepted() {
    append.turnDown();
    servers.heldBy(HEAD).put(0L, append.entry());

    resolver.settleWithoutEffect(List.of(append));

    assertThat(append.done).isCompletedWithValue(new Address(0));
    assertThat(servers.heldBy(TAIL)).containsKey(0L);
  }

  @Test
  void anAppendInDoubtLosesItsTokenToAHoleIfTheHeadHoldsNothing() {
    append.doubt();

    resolver.settle(List.of(append));

    assertThat(append.needsToken()).isTrue();
    assertThat(servers.heldBy(TAIL).get(0L).isHole()).isTrue();
  }

  @Test
  void anAppendInDoubtIsDoneIfTheHeadHoldsIt() {
    append.doubt();
    servers.heldBy(HEAD).put(0L, append.entry());

    resolver.settle(List.of(append));

    assertThat(append.done).isCompletedWithValue(new Address(0));
  }
}
