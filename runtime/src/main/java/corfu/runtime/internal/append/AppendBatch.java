package corfu.runtime.internal.append;

import corfu.protocol.Endpoint;
import corfu.protocol.EntryKind;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.batch.Batcher;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The write protocol, for several appends at once: tokens first, then the heads of their chains,
 * then the replicas behind. Each step sends one request per server (CORFU, section 3.4;
 * docs/design.md, section 4, R1 to R3). Failed steps are retried until the deadline. A repeated
 * write does no harm, because each entry carries its append id.
 */
final class AppendBatch {

  /**
   * A server that needs longer is slow. Appends that other servers have accepted advance without
   * it.
   */
  private static final long PATIENCE_NANOS = 2_000_000;

  /**
   * This many lost tokens in a row are no accident. A reader that does not wait for a slow writer
   * costs one token.
   */
  private static final int RUN = 4;

  private final AppendParts parts;
  private final ClientContext context;
  private final List<PendingAppend> appends;
  private final Deadline deadline;
  private final Runnable onlySlowOnesLeft;
  private final CompletableFuture<Void> earlierTokensIssued;
  private final CompletableFuture<Void> tokensIssued;
  private int lostInARow;

  /**
   * @param appends one or more appends, the oldest first; the earliest of their deadlines is the
   *     batch's deadline
   * @param turn the batch's place in the order of batches. The batch gets its first tokens after
   *     the batch before has its own. So a client's appends keep their order, as long as each gets
   *     the first address that it tries.
   * @param onlySlowOnesLeft a callback, run once or several times, when only slow servers still
   *     work for this batch
   */
  AppendBatch(
      AppendParts parts,
      List<PendingAppend> appends,
      Batcher.Turn turn,
      Runnable onlySlowOnesLeft) {
    this.parts = parts;
    this.context = parts.context();
    this.appends = appends;
    this.deadline = Deadline.earliest(appends.stream().map(append -> append.deadline));
    this.earlierTokensIssued = turn.previous();
    this.tokensIssued = turn.own();
    this.onlySlowOnesLeft = onlySlowOnesLeft;
  }

  /**
   * Ends the appends of the batch, successfully or not.
   *
   * @return the unfinished appends that have more time than the batch had
   */
  List<PendingAppend> run() {
    try {
      appendAllowed();
      return List.of();
    } catch (QuotaExceededException over) {
      return patientOnes(over);
    } catch (RuntimeException failure) {
      List<PendingAppend> rest = new ArrayList<>();
      for (PendingAppend append : unfinished()) {
        if (deadline.hasPassed() && !append.deadline.isNear()) {
          rest.add(append);
        } else {
          append.fail(failure);
        }
      }
      return rest;
    } finally {
      var unused =
          earlierTokensIssued.whenComplete((issued, failure) -> tokensIssued.complete(null));
    }
  }

  /**
   * Appends until all are done. A server refuses a request as a whole, so the appends that lack the
   * permission end, and the others are sent again.
   */
  private void appendAllowed() {
    while (true) {
      try {
        context.retryLoop().untilDone("append", deadline, this::attempt);
        return;
      } catch (AccessDeniedException denied) {
        List<PendingAppend> lacking =
            unfinished().stream().filter(append -> append.needs(denied)).toList();
        if (lacking.isEmpty()) {
          throw denied;
        }
        lacking.forEach(append -> deny(append, denied));
      }
    }
  }

  /** Ends an append. Its address, if it has one, is settled soon, so that no reader waits. */
  private void deny(PendingAppend append, CorfuException refusal) {
    append.fail(refusal);
    if (!append.needsToken()) {
      parts.chainRepair().fillSoon(append.address());
    }
  }

  /** Ends the appends whose deadlines come before the quota has room, and returns the others. */
  private List<PendingAppend> patientOnes(QuotaExceededException over) {
    long wait = over.waitTime().toNanos();
    List<PendingAppend> rest = new ArrayList<>();
    for (PendingAppend append : unfinished()) {
      if (append.deadline.remainingNanos(over.waitTime()) < wait || append.deadline.isNear()) {
        deny(append, over);
      } else {
        rest.add(append);
      }
    }
    return rest;
  }

  private List<PendingAppend> unfinished() {
    return unfinished(Set.of());
  }

  private List<PendingAppend> unfinished(Set<PendingAppend> without) {
    List<PendingAppend> rest = new ArrayList<>(appends.size());
    for (PendingAppend append : appends) {
      if (!append.done.isDone() && !without.contains(append)) {
        rest.add(append);
      }
    }
    return rest;
  }

  /** Makes one attempt. Each append continues from the step that it has reached. */
  private Void attempt(Layout layout, Deadline until) {
    StaleAppendResolver settlement =
        new StaleAppendResolver(context, parts.chainRepair(), layout, deadline);
    List<PendingAppend> old = ofOlderEpochs(layout);
    settlement.settleWithoutEffect(old);
    Set<PendingAppend> doubtful =
        old.stream()
            .filter(PendingAppend::mayHappen)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    append(layout, doubtful);
    settlement.settle(doubtful); // last, because their servers may be unreachable
    append(layout, Set.of());
    return null;
  }

  /** Carries out the unfinished appends, except {@code others}. */
  private void append(Layout layout, Set<PendingAppend> others) {
    List<PendingAppend> rest = unfinished(others);
    while (!rest.isEmpty()) {
      giveTokens(rest, layout);
      List<PendingAppend> ready = unfinished(others);
      try {
        writeEverywhere(ready, layout);
      } finally {
        if (!layout.openSegment().stream().isEmpty()) {
          parts.chainRepair().confirm(complete(ready), layout, deadline);
        }
      }
      rest = unfinished(others); // includes the appends that lost their address to another entry
      stepOverLost(ready, rest, layout);
    }
  }

  /**
   * If all tokens in a row are lost, tells the sequencer how far the run of dead addresses goes.
   */
  private void stepOverLost(List<PendingAppend> tried, List<PendingAppend> rest, Layout layout) {
    List<PendingAppend> lost = rest.stream().filter(PendingAppend::needsToken).toList();
    lostInARow = lost.size() == tried.size() ? lostInARow + lost.size() : 0;
    if (lostInARow >= RUN) {
      lostInARow = 0;
      long highest = lost.stream().mapToLong(PendingAppend::lastToken).max().orElseThrow();
      parts.deadRun().stepOver(highest + 1, layout, deadline);
    }
  }

  private static List<Long> complete(List<PendingAppend> some) {
    return some.stream()
        .filter(PendingAppend::isComplete)
        .map(append -> append.address().value())
        .toList();
  }

  private List<PendingAppend> ofOlderEpochs(Layout layout) {
    return unfinished().stream().filter(append -> append.isOfOtherEpoch(layout.epoch())).toList();
  }

  private void giveTokens(List<PendingAppend> rest, Layout layout) {
    List<PendingAppend> needy = rest.stream().filter(PendingAppend::needsToken).toList();
    if (!needy.isEmpty()) {
      if (!deadline.await(earlierTokensIssued)) {
        throw new UnavailableException(
            "could not append within %d ms: earlier appends of this client got no addresses"
                .formatted(deadline.timeout().toMillis()));
      }
      if (needy.stream().allMatch(PendingAppend::isPlain)) {
        givePlainTokens(needy, layout);
      } else {
        giveStreamTokens(needy, layout);
      }
      tokensIssued.complete(null);
    }
  }

  private void givePlainTokens(List<PendingAppend> needy, Layout layout) {
    SequencerReply.Tokens tokens = parts.tokens().next(layout, needy.size(), deadline);
    long token = tokens.first();
    for (PendingAppend append : needy) {
      append.take(token++, List.of(), tokens.seal(), layout);
    }
  }

  private void giveStreamTokens(List<PendingAppend> needy, Layout layout) {
    List<TokenWish> wishes = needy.stream().map(append -> append.wish(layout.epoch())).toList();
    SequencerReply.StreamTokens tokens = parts.tokens().next(layout, wishes, deadline);
    List<TokenOutcome> outcomes = tokens.outcomes();
    for (int i = 0; i < outcomes.size(); i++) {
      PendingAppend append = needy.get(i);
      switch (outcomes.get(i)) {
        case TokenOutcome.Issued(long token, var places) -> {
          append.take(token, places, tokens.seal(), layout);
          parts.inFlight().add(token, append.told());
        }
        case TokenOutcome.Conflict conflict -> append.endBy(conflict);
      }
    }
  }

  /**
   * Writes every append that has a token to all replicas of its chain, step by step, on all servers
   * at the same time. Each append advances on its own replica's reply. Once only slow servers
   * remain, other batches need not wait for them.
   */
  private void writeEverywhere(List<PendingAppend> rest, Layout layout) {
    List<Sent> waiting = new ArrayList<>();
    RetryableException retryable = null;
    List<PendingAppend> active = rest;
    while (!active.isEmpty() || !waiting.isEmpty()) {
      List<PendingAppend> goOn = send(active, layout, waiting);
      for (Sent answered : takeAnswered(waiting)) {
        retryable = first(retryable, take(answered, goOn));
      }
      if (goOn.isEmpty() && !waiting.isEmpty()) {
        onlySlowOnesLeft.run();
      }
      active = goOn;
    }
    if (retryable != null) {
      throw retryable;
    }
  }

  private static @Nullable RetryableException first(
      @Nullable RetryableException a, @Nullable RetryableException b) {
    return a != null ? a : b;
  }

  /** The next write of some appends, in flight to one server. */
  private record Sent(
      Endpoint server, List<PendingAppend> appends, CompletableFuture<Reply> reply) {
    boolean isAnswered() {
      return reply.isDone();
    }
  }

  /**
   * Sends the next write of each append. The calling thread itself carries the requests as far as
   * it can, for a moment.
   *
   * @return the appends for which no request had room
   */
  private List<PendingAppend> send(List<PendingAppend> appends, Layout layout, List<Sent> waiting) {
    Map<Endpoint, WriteGroup> byServer = new LinkedHashMap<>();
    List<PendingAppend> later = new ArrayList<>(0);
    for (PendingAppend append : appends) {
      if (!byServer.computeIfAbsent(append.nextReplica(), server -> new WriteGroup()).add(append)) {
        later.add(append);
      }
    }
    Map<Endpoint, LogUnitRequest.Write> writes = LinkedHashMap.newLinkedHashMap(byServer.size());
    byServer.forEach((server, group) -> writes.put(server, group.write(layout.epoch())));
    context
        .servers()
        .askAll(writes, deadline, PATIENCE_NANOS)
        .forEach(
            (server, reply) -> {
              WriteGroup group = byServer.getOrDefault(server, new WriteGroup());
              waiting.add(new Sent(server, group.appends(), reply));
            });
    return later;
  }

  /** Waits for the first reply, and returns all requests that have one. */
  private List<Sent> takeAnswered(List<Sent> waiting) {
    World world = context.world();
    for (int i = 0; i < World.GIVES_WAY && !waiting.stream().allMatch(Sent::isAnswered); i++) {
      world.giveWay(); // servers answer at about the same time: one step for all replies costs less
    }
    if (waiting.stream().noneMatch(Sent::isAnswered)) {
      var replies = waiting.stream().map(Sent::reply).toArray(CompletableFuture<?>[]::new);
      CompletableFuture.anyOf(replies).handle((reply, failure) -> reply).join();
    }
    List<Sent> answered = new ArrayList<>(waiting.size());
    waiting.removeIf(sent -> sent.isAnswered() && answered.add(sent));
    return answered;
  }

  private @Nullable RetryableException take(Sent sent, List<PendingAppend> goOn) {
    List<PendingAppend> group = sent.appends;
    try {
      List<WriteOutcome> outcomes =
          Servers.await(sent.server, sent.reply, LogUnitReply.Writes.class).outcomes();
      for (int i = 0; i < group.size(); i++) {
        apply(outcomes.get(i), group.get(i), sent.server, goOn);
      }
      return retryable(outcomes, group, sent.server); // the other outcomes have been applied
    } catch (RetryableException failed) {
      if (!failed.isUnsent()) {
        group.forEach(failed.effectUnknown() ? PendingAppend::doubt : PendingAppend::turnDown);
      }
      return failed;
    }
  }

  private void apply(
      WriteOutcome outcome, PendingAppend append, Endpoint server, List<PendingAppend> goOn) {
    switch (outcome) {
      case WriteOutcome.Written written -> advance(append, goOn);
      case WriteOutcome.Overwritten(var winner, EntryKind kind) -> {
        if (winner.equals(append.id)) {
          advance(append, goOn); // from our earlier attempt, or a reader completed it
        } else if (append.isAccepted()) {
          throw new IllegalStateException(
              "address "
                  + append.address()
                  + " holds append "
                  + append.id
                  + " at the head of its chain,"
                  + " but another entry of "
                  + winner
                  + " at "
                  + server
                  + ": the chain property is broken, please report this");
        } else {
          append.dropToken();
        }
      }
      case WriteOutcome.Trimmed trimmed -> {
        if (append.isAccepted()) {
          advance(append, goOn); // it was appended, and trimmed since
        } else if (append.isHeadInDoubt() || append.wasTurnedDown()) {
          append.done.completeExceptionally(
              new AppendOutcomeUnknownException(
                  append.address(), "the address has been trimmed since"));
        } else {
          append.dropToken();
        }
      }
      case WriteOutcome.Corrupt unreadable -> {
        if (append.isAccepted()) {
          advance(append, goOn); // the replica holds the head's entry, no other
        } else {
          append.doubt(); // it may be ours: nobody knows until a server can read it again
        }
      }
      case WriteOutcome.NoSpace full -> refuse(append, server);
      case WriteOutcome.Damaged damaged -> append.turnDown(); // will be retried
    }
  }

  private static @Nullable RetryableException retryable(
      List<WriteOutcome> outcomes, List<PendingAppend> group, Endpoint server) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof WriteOutcome.Damaged) {
        return damagedOnItsWay(server);
      }
      if (outcomes.get(i) instanceof WriteOutcome.Corrupt && group.get(i).isHeadInDoubt()) {
        return RetryableException.server(
            server,
            true,
            "the log unit at "
                + server
                + " cannot read the entry at address "
                + group.get(i).address()
                + "; it will have the entry repaired, or leave");
      }
    }
    return null;
  }

  private static RetryableException damagedOnItsWay(Endpoint server) {
    return RetryableException.server(server, false, "an entry was damaged in transit to " + server);
  }

  private static void advance(PendingAppend append, List<PendingAppend> goOn) {
    append.wrote();
    if (!append.done.isDone()) {
      goOn.add(append);
    }
  }

  /**
   * Ends an append whose write met a full disk. A full head has not accepted the entry. A full
   * replica behind it leaves an entry that will be completed when there is room.
   */
  private void refuse(PendingAppend append, Endpoint server) {
    NoSpaceException full = new NoSpaceException(server);
    if (append.mayHappen()) {
      append.done.completeExceptionally(
          new AppendOutcomeUnknownException(append.address(), String.valueOf(full.getMessage())));
    } else {
      append.done.completeExceptionally(full);
      parts.chainRepair().fillSoon(append.address());
    }
  }
}
