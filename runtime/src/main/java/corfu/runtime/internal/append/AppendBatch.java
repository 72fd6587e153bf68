package corfu.runtime.internal.append;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryKind;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.Deadline;
import corfu.runtime.NoSpaceException;
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
 * The write protocol, for several appends at once: tokens, then the heads of their chains, then the
 * replicas behind, all with one request a server and step (CORFU, section 3.4; docs/design.md,
 * section 4, R1 to R3). Whatever fails is tried again until the deadline; writing again what is
 * written already does no harm, for the entry knows its append.
 */
final class AppendBatch {

  /** A server that takes longer is slow: what others have taken goes on without it. */
  private static final long PATIENCE_NANOS = 2_000_000;

  /**
   * So many lost tokens in a row are no accident. A reader that does not wait for a slow writer
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
   * @param appends one or more, the oldest first; the earliest of their deadlines is the batch's
   * @param turn a batch takes its first tokens after the batch before has its own: so a client's
   *     appends keep the order in which it made them, as long as each gets the first address that
   *     it tries
   * @param onlySlowOnesLeft run, perhaps several times, when servers that are faster than others
   *     have nothing more to do for this batch
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
   * Ends the appends of the batch, one way or the other.
   *
   * @return those that have not ended, but have more time than the batch had
   */
  List<PendingAppend> run() {
    try {
      context.retryLoop().untilDone("append", deadline, this::attempt);
      return List.of();
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

  /** One try: goes on from wherever each append is. */
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
    settlement.settle(doubtful); // last, for their servers may be out of reach
    append(layout, Set.of());
    return null;
  }

  /** Appends what has not ended, but for these. */
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
      rest = unfinished(others); // those that lost their address to somebody else
      stepOverLost(ready, rest, layout);
    }
  }

  /** Where all tokens are lost, one after the other, the sequencer is told how far that goes. */
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
    long token = parts.tokens().next(layout, needy.size(), deadline);
    for (PendingAppend append : needy) {
      append.take(token++, List.of(), layout);
    }
  }

  private void giveStreamTokens(List<PendingAppend> needy, Layout layout) {
    List<TokenWish> wishes = needy.stream().map(append -> append.wish(layout.epoch())).toList();
    List<TokenOutcome> outcomes = parts.tokens().next(layout, wishes, deadline);
    for (int i = 0; i < outcomes.size(); i++) {
      PendingAppend append = needy.get(i);
      switch (outcomes.get(i)) {
        case TokenOutcome.Issued(long token, var places) -> {
          append.take(token, places, layout);
          parts.inFlight().add(token, append.told());
        }
        case TokenOutcome.Conflict conflict -> append.endBy(conflict);
      }
    }
  }

  /**
   * Carries every append that has a token to the end of its chain, step by step, all servers at the
   * same time. What has been taken goes on, whoever else is still waited for; and once only slow
   * servers are, other batches need not wait for them.
   */
  private void writeEverywhere(List<PendingAppend> rest, Layout layout) {
    List<Sent> waiting = new ArrayList<>();
    RetryableException retryable = null;
    List<PendingAppend> active = rest;
    while (!active.isEmpty() || !waiting.isEmpty()) {
      send(active, layout, waiting);
      List<PendingAppend> goOn = new ArrayList<>(active.size());
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

  /** The next write of some appends, on its way to a server. */
  private record Sent(
      Endpoint server, List<PendingAppend> appends, CompletableFuture<Reply> reply) {
    boolean isAnswered() {
      return reply.isDone();
    }
  }

  /** The calling thread carries the requests as far as it can, for a moment. */
  private void send(List<PendingAppend> appends, Layout layout, List<Sent> waiting) {
    Map<Endpoint, List<PendingAppend>> byServer = new LinkedHashMap<>();
    for (PendingAppend append : appends) {
      byServer.computeIfAbsent(append.nextReplica(), server -> new ArrayList<>()).add(append);
    }
    Map<Endpoint, LogUnitRequest.Write> writes = LinkedHashMap.newLinkedHashMap(byServer.size());
    byServer.forEach(
        (server, group) -> {
          List<Entry> entries = group.stream().map(PendingAppend::entry).toList();
          writes.put(server, new LogUnitRequest.Write(layout.epoch(), entries));
        });
    context
        .servers()
        .askAll(writes, deadline, PATIENCE_NANOS)
        .forEach(
            (server, reply) ->
                waiting.add(new Sent(server, byServer.getOrDefault(server, List.of()), reply)));
  }

  /** Waits until something has been answered, and takes all that has. */
  private List<Sent> takeAnswered(List<Sent> waiting) {
    World world = context.world();
    for (int i = 0; i < World.GIVES_WAY && !waiting.stream().allMatch(Sent::isAnswered); i++) {
      world.giveWay(); // servers answer at about the same time: one step for all of them is less
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
      return retryable(outcomes, group, sent.server); // the others have been taken
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
          advance(append, goOn); // an earlier try of ours, or somebody rolled us forward
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
          advance(append, goOn); // what the head has taken, and no other entry
        } else {
          append.doubt(); // it may be ours: until somebody can read it again, nobody knows
        }
      }
      case WriteOutcome.NoSpace full -> refuse(append, server);
      case WriteOutcome.Damaged damaged -> append.turnDown(); // is tried again
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
                + " cannot read what it holds at address "
                + group.get(i).address()
                + "; it will have it from another one, or leave");
      }
    }
    return null;
  }

  private static RetryableException damagedOnItsWay(Endpoint server) {
    return RetryableException.server(server, false, "an entry was damaged on its way to " + server);
  }

  private static void advance(PendingAppend append, List<PendingAppend> goOn) {
    append.wrote();
    if (!append.done.isDone()) {
      goOn.add(append);
    }
  }

  /**
   * A full head has not taken the entry. A full replica behind it leaves an entry that will be
   * completed when there is room.
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
