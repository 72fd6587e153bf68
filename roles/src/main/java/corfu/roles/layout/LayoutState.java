package corfu.roles.layout;

import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutJson;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Reply;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a layout server has promised, accepted and learned, and how requests change that: one
 * single-decree Paxos an epoch (DESIGN 3.6). Immutable.
 *
 * @param newest the newest layout known to be decided
 * @param votes the ballots of epochs that are not known to be decided, all newer than that
 */
record LayoutState(Optional<Layout> newest, SortedMap<Epoch, Vote> votes) {

  /** How many undecided epochs a server remembers, besides the one that is next. */
  static final int MAX_OPEN_EPOCHS = 16;

  /** Of a server that belongs to no cluster. */
  static final LayoutState BLANK = new LayoutState(Optional.empty(), new TreeMap<>());

  LayoutState {
    votes = Collections.unmodifiableSortedMap(votes);
  }

  /**
   * One epoch's ballots.
   *
   * @param promised nothing below will be accepted
   * @param accepted the last layout that was, at no higher a ballot than promised
   */
  record Vote(Ballot promised, Optional<LayoutReply.Accepted> accepted) {
    static final Vote NONE = new Vote(Ballot.NONE, Optional.empty());

    private boolean isForAnotherClusterThan(Layout ours) {
      return accepted.isPresent() && !accepted.get().layout().clusterId().equals(ours.clusterId());
    }
  }

  /**
   * What a request leads to.
   *
   * @param state the same one where nothing changed
   * @param reply may be given once {@code state} is durable
   */
  record Step(LayoutState state, Reply reply) {}

  Step after(LayoutRequest request) {
    return switch (request) {
      case LayoutRequest.Fetch fetch -> same(current());
      case LayoutRequest.Prepare prepare -> prepare(prepare.epoch(), prepare.ballot());
      case LayoutRequest.Accept accept -> accept(accept.ballot(), accept.layout());
      case LayoutRequest.Learn learn -> learn(learn.layout());
    };
  }

  Reply current() {
    return newest.<Reply>map(LayoutReply.Current::new).orElseGet(Failure.NotBootstrapped::new);
  }

  /** The fewest requests that lead a blank server here. */
  List<LayoutRequest> history() {
    List<LayoutRequest> history = new ArrayList<>();
    newest.map(LayoutRequest.Learn::new).ifPresent(history::add);
    votes.forEach(
        (epoch, vote) -> {
          vote.accepted()
              .map(accepted -> new LayoutRequest.Accept(accepted.ballot(), accepted.layout()))
              .ifPresent(history::add);
          history.add(new LayoutRequest.Prepare(epoch, vote.promised()));
        });
    return history;
  }

  private Step prepare(Epoch epoch, Ballot ballot) {
    Optional<Reply> refusal = refusal(epoch, ballot);
    if (refusal.isPresent()) {
      return same(refusal.get());
    }
    Vote vote = voteOf(epoch);
    Reply promise = new LayoutReply.Promised(vote.accepted());
    return ballot.equals(vote.promised())
        ? same(promise)
        : new Step(with(epoch, new Vote(ballot, vote.accepted())), promise);
  }

  private Step accept(Ballot ballot, Layout layout) {
    Optional<Reply> refusal = refusalOfCluster(layout).or(() -> refusal(layout.epoch(), ballot));
    if (refusal.isPresent()) {
      return same(refusal.get());
    }
    Optional<LayoutReply.Accepted> before = voteOf(layout.epoch()).accepted();
    if (before.isPresent() && before.get().ballot().equals(ballot)) {
      return same(
          before.get().layout().equals(layout)
              ? LayoutReply.AcceptedNow.ACCEPTED
              : malformed("ballot " + ballot + " has proposed another layout before"));
    }
    LayoutReply.Accepted accepted = new LayoutReply.Accepted(ballot, layout);
    return new Step(
        with(layout.epoch(), new Vote(ballot, Optional.of(accepted))),
        LayoutReply.AcceptedNow.ACCEPTED);
  }

  private Step learn(Layout layout) {
    Optional<Reply> refusal = refusalOfCluster(layout);
    if (refusal.isPresent()) {
      return same(refusal.get());
    }
    if (newest.isEmpty() || newest.get().epoch().isBefore(layout.epoch())) {
      SortedMap<Epoch, Vote> open = new TreeMap<>(votes);
      open.keySet().removeIf(epoch -> !layout.epoch().isBefore(epoch));
      open.values().removeIf(vote -> vote.isForAnotherClusterThan(layout));
      return new Step(new LayoutState(Optional.of(layout), open), Reply.Done.DONE);
    }
    Layout known = newest.get();
    boolean isSplit = known.epoch().equals(layout.epoch()) && !known.equals(layout);
    return same(
        isSplit
            ? new Failure.Broken(
                "two layouts of one epoch have been decided, which must never happen: this server"
                    + " learned "
                    + LayoutJson.compact(known)
                    + " and is now told "
                    + LayoutJson.compact(layout))
            : Reply.Done.DONE);
  }

  private Optional<Reply> refusalOfCluster(Layout layout) {
    return newest
        .map(Layout::clusterId)
        .filter(ours -> !ours.equals(layout.clusterId()))
        .map(Failure.WrongCluster::new);
  }

  /** Why a ballot of this epoch gets no vote. */
  private Optional<Reply> refusal(Epoch epoch, Ballot ballot) {
    if (newest.isPresent() && !newest.get().epoch().isBefore(epoch)) {
      return Optional.of(new LayoutReply.Decided(newest.get()));
    }
    if (epoch.equals(Epoch.NONE) || ballot.round() < 1) {
      return Optional.of(
          malformed("a ballot's round and its epoch start at 1, not at " + ballot + ", " + epoch));
    }
    Ballot promised = voteOf(epoch).promised();
    if (ballot.compareTo(promised) < 0) {
      return Optional.of(new LayoutReply.Outbid(promised));
    }
    if (!votes.containsKey(epoch)
        && !epoch.equals(nextEpoch())
        && openEpochs() >= MAX_OPEN_EPOCHS) {
      return Optional.of(
          new Failure.Overloaded(
              "this layout server already votes on "
                  + openEpochs()
                  + " epochs beyond "
                  + nextEpoch()
                  + " and has not been told what was decided; tell it the newest layout first"));
    }
    return Optional.empty();
  }

  /** The one that is next does not count: nothing may keep it from being decided. */
  private int openEpochs() {
    return votes.containsKey(nextEpoch()) ? votes.size() - 1 : votes.size();
  }

  private Epoch nextEpoch() {
    return newest.map(Layout::epoch).orElse(Epoch.NONE).next();
  }

  private Vote voteOf(Epoch epoch) {
    return votes.getOrDefault(epoch, Vote.NONE);
  }

  private LayoutState with(Epoch epoch, Vote vote) {
    SortedMap<Epoch, Vote> changed = new TreeMap<>(votes);
    changed.put(epoch, vote);
    return new LayoutState(newest, changed);
  }

  private Step same(Reply reply) {
    return new Step(this, reply);
  }

  private static Reply malformed(String reason) {
    return new Failure.Refused(Failure.Cause.MALFORMED, reason);
  }
}
