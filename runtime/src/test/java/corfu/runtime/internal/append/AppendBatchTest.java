package corfu.runtime.internal.append;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.AsOf;
import corfu.runtime.NoSpaceException;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.batch.Batcher.Turn;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.stream.StreamUnits;
import corfu.runtime.internal.token.DeadRun;
import corfu.runtime.internal.token.Tokens;
import corfu.transport.NoReplyException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The write protocol over a chain of two units. */
final class AppendBatchTest {

  private static final Entry OTHERS = Entry.hole(0, new AppendId(99, 1));

  private final ScriptedServers servers = new ScriptedServers();
  private final CompletableFuture<Void> tokensIssued = new CompletableFuture<>();

  @AfterEach
  void close() {
    servers.close();
  }

  /** Runs a batch of one append, with this timeout. */
  private PendingAppend run(Duration timeout) {
    ClientContext context = servers.context(timeout);
    ChainRepair repair =
        new ChainRepair(context.world(), context.servers(), context.retryLoop(), context.ids());
    AppendParts parts =
        new AppendParts(
            context,
            new Tokens(context.servers(), new StreamUnits(context.servers()), repair.settlement()),
            new DeadRun(context.servers(), 1_000),
            repair,
            new InFlightAppends(context.world()));
    PendingAppend append =
        new PendingAppend(
            context.ids().get(),
            TokenWish.PLAIN,
            AsOf.DECIDED,
            ByteBuffer.wrap(new byte[] {1}),
            context.deadline());
    Turn turn = new Turn(CompletableFuture.completedFuture(null), tokensIssued);
    assertThat(new AppendBatch(parts, List.of(append), turn, () -> {}).run()).isEmpty();
    return append;
  }

  private PendingAppend run() {
    return run(Duration.ofSeconds(30));
  }

  private static Optional<Reply> ifWrite(Request request, WriteOutcome outcome) {
    return request instanceof LogUnitRequest.Write
        ? Optional.of(new LogUnitReply.Writes(List.of(outcome)))
        : Optional.empty();
  }

  @Test
  void anAppendIsDoneWhenAllReplicasHoldItsEntry() {
    PendingAppend append = run();

    assertThat(append.done).isCompletedWithValue(new Address(0));
    assertThat(servers.heldBy(HEAD).get(0L).id()).isEqualTo(append.id);
    assertThat(servers.heldBy(TAIL).get(0L).id()).isEqualTo(append.id);
    assertThat(tokensIssued).isCompleted();
  }

  @Test
  void anAppendWhoseAddressIsTakenGetsTheNextToken() {
    servers.heldBy(HEAD).put(0L, OTHERS);

    assertThat(run().done).isCompletedWithValue(new Address(1));
  }

  @Test
  void aFullHeadEndsTheAppendWithoutEffect() {
    servers.script(HEAD, request -> ifWrite(request, WriteOutcome.NoSpace.NO_SPACE));

    assertThat(run().done.exceptionNow()).isInstanceOf(NoSpaceException.class);
  }

  @Test
  void aHeadThatDoesNotAnswerLeavesTheOutcomeUnknown() {
    servers.script(
        HEAD,
        request -> {
          if (request instanceof LogUnitRequest.Write) {
            throw new NoReplyException(HEAD, "the test says so");
          }
          return Optional.empty();
        });

    assertThat(run(Duration.ofMillis(200)).done.exceptionNow())
        .isInstanceOf(AppendOutcomeUnknownException.class);
    assertThat(tokensIssued).isCompleted();
  }
}
