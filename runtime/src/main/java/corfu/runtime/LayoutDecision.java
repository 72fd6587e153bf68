package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.transport.Peer;
import corfu.transport.TransportException;
import corfu.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The proposer of single-decree Paxos, one decision an epoch (DESIGN 3.6, step 2). For one thread.
 */
final class LayoutDecision {

  private final World world;
  private final Servers servers;
  private final Deadline deadline;
  private final long proposer;
  private long round = 1;

  LayoutDecision(World world, Servers servers, Deadline deadline) {
    this.world = world;
    this.servers = servers;
    this.deadline = deadline;
    this.proposer = world.random().nextLong();
  }

  /**
   * What was decided.
   *
   * @param isOurs whether this proposer put the layout forward, and brought it through. To have
   *     proposed the same as another is not enough: of all proposers it is true for one at most.
   */
  record Decided(Layout layout, boolean isOurs) {}

  /**
   * Has a layout decided for the proposal's epoch.
   *
   * @return the layout that won, maybe another than the proposal; or a newer one, if that epoch is
   *     over
   * @throws SetbackException if no majority answered
   */
  Decided decide(Layout proposal, List<Endpoint> acceptors) {
    Backoff backoff = new Backoff(world, deadline);
    while (true) {
      Optional<Decided> decided = tryRound(proposal, acceptors);
      if (decided.isPresent()) {
        return decided.get();
      }
      if (deadline.hasPassed()) {
        throw SetbackException.server(
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
    List<Reply> promises = askAll(new LayoutRequest.Prepare(epoch, ballot), acceptors);
    Optional<Decided> over = alreadyDecided(promises);
    if (over.isPresent()) {
      return over;
    }
    if (!isMajority(promises, LayoutReply.Promised.class, acceptors)) {
      round = higherThanSeen(promises);
      return Optional.empty();
    }
    Optional<LayoutReply.Accepted> accepted = highestAccepted(promises);
    Layout value = accepted.map(LayoutReply.Accepted::layout).orElse(proposal);
    boolean isOurs = accepted.map(vote -> vote.ballot().proposer() == proposer).orElse(true);
    List<Reply> votes = askAll(new LayoutRequest.Accept(ballot, value), acceptors);
    over = alreadyDecided(votes);
    if (over.isPresent()) {
      return over;
    }
    if (isMajority(votes, LayoutReply.AcceptedNow.class, acceptors)) {
      return Optional.of(new Decided(value, isOurs));
    }
    round = higherThanSeen(votes);
    return Optional.empty();
  }

  private static Optional<LayoutReply.Accepted> highestAccepted(List<Reply> promises) {
    List<LayoutReply.Accepted> all = new ArrayList<>();
    for (Reply reply : promises) {
      if (reply instanceof LayoutReply.Promised(var accepted)) {
        accepted.ifPresent(all::add);
      }
    }
    return all.stream().max(Comparator.comparing(LayoutReply.Accepted::ballot));
  }

  /** All replies that came; fails where no majority of any kind answered. */
  private List<Reply> askAll(Request request, List<Endpoint> acceptors) {
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (Endpoint acceptor : acceptors) {
      sent.add(servers.send(acceptor, request, deadline));
    }
    List<Reply> replies = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < acceptors.size(); i++) {
      try {
        Reply reply = Peer.await(sent.get(i));
        if (reply instanceof Failure) {
          problems.add(acceptors.get(i) + " answered " + reply);
        } else {
          replies.add(reply);
        }
      } catch (TransportException silent) {
        problems.add(silent.getMessage());
      }
    }
    if (replies.size() <= acceptors.size() / 2) {
      throw SetbackException.server(
          acceptors.getFirst(),
          true,
          "no majority of the layout servers "
              + acceptors
              + " answered: "
              + String.join("; ", problems));
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

  private static boolean isMajority(
      List<Reply> replies, Class<? extends Reply> kind, List<Endpoint> acceptors) {
    return replies.stream().filter(kind::isInstance).count() > acceptors.size() / 2;
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
