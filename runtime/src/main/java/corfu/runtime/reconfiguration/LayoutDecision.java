package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Backoff;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The proposer of single-decree Paxos, one decision per epoch (docs/design.md, section 6, step 2).
 * Before any decision it waits for leases: no server that was left out, and was not sealed, may
 * hold one any more. For one thread.
 */
final class LayoutDecision {

  /** Clocks differ by less than a quarter. */
  private static final int CLOCK_ALLOWANCE = 4;

  private final World world;
  private final Servers servers;
  private final Deadline deadline;
  private final Function<Layout, Set<Endpoint>> notSealed;
  private final Stages stages;
  private final long proposer;
  private long round = 1;

  /**
   * @param notSealed returns the servers whose leases must have run out before a layout may be
   *     decided: the layout changes their work, and this proposer has not sealed them
   * @param stages the receiver of each step that a majority has done
   */
  LayoutDecision(
      World world,
      Servers servers,
      Deadline deadline,
      Function<Layout, Set<Endpoint>> notSealed,
      Stages stages) {
    this.world = world;
    this.servers = servers;
    this.deadline = deadline;
    this.notSealed = notSealed;
    this.stages = stages;
    this.proposer = world.random().nextLong();
  }

  /**
   * A decision.
   *
   * @param isOurs whether this proposer put the layout forward and had it decided. An equal
   *     proposal of another proposer is not enough: of all proposers, this is true for at most one.
   */
  record Decided(Layout layout, boolean isOurs) {}

  /**
   * Has a layout decided for the proposal's epoch. A majority decides. In a cluster's first epoch,
   * all layout servers must agree: there, one that lost its disk looks like one that never voted.
   *
   * @return the decided layout, possibly another than the proposal; or a newer one, if that epoch
   *     is over
   * @throws RetryableException if too few layout servers answered
   */
  Decided decide(Layout proposal, List<Endpoint> acceptors) {
    Backoff backoff = new Backoff(world, deadline);
    while (true) {
      Optional<Decided> decided = tryRound(proposal, acceptors);
      if (decided.isPresent()) {
        return decided.get();
      }
      if (deadline.hasPassed()) {
        throw RetryableException.server(
            acceptors.getFirst(),
            true,
            "other proposers for epoch " + proposal.epoch() + " kept outbidding this one");
      }
      backoff.pause();
    }
  }

  private Optional<Decided> tryRound(Layout proposal, List<Endpoint> acceptors) {
    Ballot ballot = new Ballot(round, proposer);
    Epoch epoch = proposal.epoch();
    int quorum = epoch.equals(Epoch.FIRST) ? acceptors.size() : acceptors.size() / 2 + 1;
    List<Reply> promises = askAll(new LayoutRequest.Prepare(epoch, ballot), acceptors, quorum);
    Optional<Decided> over = alreadyDecided(promises);
    if (over.isPresent()) {
      return over;
    }
    if (count(promises, LayoutReply.Promised.class) < quorum) {
      round = higherThanSeen(promises);
      return Optional.empty();
    }
    Optional<LayoutReply.Accepted> accepted = highestAccepted(promises);
    Layout value = accepted.map(LayoutReply.Accepted::layout).orElse(proposal);
    boolean isOurs = accepted.map(vote -> vote.ballot().proposer() == proposer).orElse(true);
    waitForLeases(promises, notSealed.apply(value), quorum);
    stages.reached(Stages.Stage.PREPARED);
    List<Reply> votes = askAll(new LayoutRequest.Accept(ballot, value), acceptors, quorum);
    over = alreadyDecided(votes);
    if (over.isPresent()) {
      return over;
    }
    if (count(votes, LayoutReply.AcceptedNow.class) >= quorum) {
      stages.reached(Stages.Stage.DECIDED);
      return Optional.of(new Decided(value, isOurs));
    }
    round = higherThanSeen(votes);
    return Optional.empty();
  }

  /**
   * Waits for the end of running leases. A layout server that has promised grants no more leases in
   * the old epoch, and a lease needs a majority. So no server holds a lease once the leases that a
   * majority granted before have run out.
   */
  private void waitForLeases(List<Reply> promises, Set<Endpoint> holders, int majority) {
    List<Long> longest = new ArrayList<>();
    for (Reply reply : promises) {
      if (reply instanceof LayoutReply.Promised promised) {
        longest.add(
            promised.leases().stream()
                .filter(lease -> holders.contains(lease.server()))
                .mapToLong(LayoutReply.RunningLease::remainingMillis)
                .max()
                .orElse(0));
      }
    }
    longest.sort(Comparator.naturalOrder());
    long millis = longest.get(majority - 1);
    if (millis > 0) {
      world.pause(Duration.ofMillis(millis + millis / CLOCK_ALLOWANCE + 1));
    }
  }

  private static Optional<LayoutReply.Accepted> highestAccepted(List<Reply> promises) {
    List<LayoutReply.Accepted> all = new ArrayList<>();
    for (Reply reply : promises) {
      if (reply instanceof LayoutReply.Promised promised) {
        promised.accepted().ifPresent(all::add);
      }
    }
    return all.stream().max(Comparator.comparing(LayoutReply.Accepted::ballot));
  }

  /**
   * Returns the replies that came until enough had arrived. Does not wait for the others: one of
   * those servers may be cut off.
   */
  private List<Reply> askAll(Request request, List<Endpoint> acceptors, int quorum) {
    Ballots ballots = new Ballots(acceptors.size(), quorum);
    for (Endpoint acceptor : acceptors) {
      ballots.watch(acceptor, servers.send(acceptor, request, deadline));
    }
    List<Reply> replies = ballots.await();
    if (replies.size() < quorum && alreadyDecided(replies).isEmpty()) {
      throw RetryableException.server(
          acceptors.getFirst(),
          true,
          quorum
              + " of the layout servers "
              + acceptors
              + " must answer, but fewer did: "
              + String.join("; ", ballots.problems()));
    }
    return replies;
  }

  private static Optional<Decided> alreadyDecided(List<Reply> replies) {
    return replies.stream()
        .filter(LayoutReply.Decided.class::isInstance)
        .map(reply -> ((LayoutReply.Decided) reply).layout())
        .max(Comparator.comparing(Layout::epoch))
        .map(layout -> new Decided(layout, false));
  }

  private static long count(List<Reply> replies, Class<? extends Reply> kind) {
    return replies.stream().filter(kind::isInstance).count();
  }

  private long higherThanSeen(List<Reply> replies) {
    long highest = round;
    for (Reply reply : replies) {
      if (reply instanceof LayoutReply.Outbid(Ballot promised)) {
        highest = Math.max(highest, promised.round());
      }
    }
    return highest + 1;
  }
}
