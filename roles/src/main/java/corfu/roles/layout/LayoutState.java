package corfu.roles.layout;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
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
 * A layout server's promises, accepted proposals and learned layouts, with the rules by which
 * requests change them. Each epoch is one single-decree Paxos (docs/design.md, section 6).
 * Immutable.
 *
 * <p>A server votes only if the newest layout names its incarnation, or in the first epoch. A
 * server that has lost its disk may have promised what it does not remember. It waits until a
 * layout names its new incarnation.
 *
 * @param incarnation the life of the server's disk
 * @param newest the newest layout known to be decided
 * @param votes the ballots of later epochs that are not known to be decided
 */
record LayoutState(Incarnation incarnation, Optional<Layout> newest, SortedMap<Epoch, Vote> votes) {

  /** The largest number of undecided epochs in the state, in addition to the next epoch. */
  static final int MAX_OPEN_EPOCHS = 16;

  /**
   * The largest distance of a ballot beyond the promised one. A proposer outbids by one, so a
   * ballot farther away comes from no proposer, and promising it would leave too few rounds for
   * real ones.
   */
  static final long MAX_ROUNDS_AHEAD = 1L << 32;

  LayoutState {
    votes = Collections.unmodifiableSortedMap(votes);
  }

  /** Returns the state of a server that belongs to no cluster. */
  static LayoutState blank(Incarnation incarnation) {
    return new LayoutState(incarnation, Optional.empty(), new TreeMap<>());
  }

  /**
   * The ballots of one epoch.
   *
   * @param promised the ballot below which nothing will be accepted
   * @param accepted the last accepted layout, with a ballot no higher than promised
   */
  record Vote(Ballot promised, Optional<LayoutReply.Accepted> accepted) {
    static final Vote NONE = new Vote(Ballot.NONE, Optional.empty());
  }

  /**
   * The result of a request.
   *
   * @param state the new state; the same object if nothing changed
   * @param reply the reply, which may be sent once {@code state} is durable
   */
  record Step(LayoutState state, Reply reply) {}

  Reply current() {
    return newest.<Reply>map(LayoutReply.Current::new).orElseGet(Failure.NotBootstrapped::new);
  }

  /** Returns the requests that lead to this state: the newest layout, then the ballots. */
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

  /**
   * Returns the state with this history. The votes in it were allowed when they were given; whether
   * they would be allowed now does not matter.
   *
   * @throws IllegalArgumentException if no state has this history
   */
  static LayoutState recalled(Incarnation incarnation, List<LayoutRequest> history) {
    LayoutState state = blank(incarnation);
    for (LayoutRequest request : history) {
      state = state.recall(request);
    }
    return state;
  }

  private LayoutState recall(LayoutRequest request) {
    return switch (request) {
      case LayoutRequest.Learn learn when newest.isEmpty() && votes.isEmpty() ->
          new LayoutState(incarnation, Optional.of(learn.layout()), votes);
      case LayoutRequest.Accept accept when !isOver(accept.epoch()) ->
          withAccepted(accept.ballot(), accept.layout());
      case LayoutRequest.Prepare prepare when !isOver(prepare.epoch()) ->
          withPromise(prepare.epoch(), prepare.ballot());
      default -> throw new IllegalArgumentException("it holds " + request + " behind " + this);
    };
  }

  /** Returns whether this server votes on the next layouts. */
  boolean isVoter() {
    return newest.isPresent() && newest.get().reliesOnLayoutServer(incarnation);
  }

  /**
   * Returns the reason to refuse a lease, or empty if it may be granted. A lease is granted only in
   * the newest epoch, to servers of its layout. Therefore, after a restart without memory of the
   * grants, the layout tells which servers may have one.
   */
  Optional<Reply> refusalOfLease(LayoutRequest.Renew renew) {
    Epoch asked = renew.epoch();
    Epoch known = newest.map(Layout::epoch).orElse(Epoch.NONE);
    if (asked.isBefore(known)) {
      return Optional.of(new LayoutReply.Decided(newest.orElseThrow()));
    }
    if (!votes.isEmpty() && asked.isBefore(votes.lastKey())) {
      return Optional.of(new Failure.Sealed(votes.lastKey()));
    }
    if (known.isBefore(asked)) {
      return Optional.of(new Failure.Behind(known));
    }
    if (newest.isEmpty()) {
      return Optional.of(new Failure.NotBootstrapped());
    }
    if (!isVoter()) {
      return Optional.of(
          new Failure.NotServing(notRelied("may have promised that it grants no lease")));
    }
    return newest.get().servers().contains(renew.server())
        ? Optional.empty()
        : Optional.of(
            new Failure.NotServing(
                "the layout of epoch "
                    + known
                    + " does not name "
                    + renew.server()
                    + ", so it needs no lease; if it should be there, add it, or correct its"
                    + " address"));
  }

  Step prepare(LayoutRequest.Prepare request) {
    Epoch epoch = request.epoch();
    Ballot ballot = request.ballot();
    Optional<Reply> refusal = refusal(epoch, ballot);
    if (refusal.isPresent()) {
      return same(refusal.get());
    }
    Vote vote = voteOf(epoch);
    Reply promise = new LayoutReply.Promised(vote.accepted(), List.of());
    return ballot.equals(vote.promised())
        ? same(promise)
        : new Step(withPromise(epoch, ballot), promise);
  }

  Step accept(LayoutRequest.Accept request) {
    Ballot ballot = request.ballot();
    Layout layout = request.layout();
    Optional<Reply> refusal =
        refusalOfCluster(layout)
            .or(() -> refusal(layout.epoch(), ballot))
            .or(() -> refusalOfFirst(layout));
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
    return new Step(withAccepted(ballot, layout), LayoutReply.AcceptedNow.ACCEPTED);
  }

  Step learn(LayoutRequest.Learn request) {
    Layout layout = request.layout();
    Optional<Reply> refusal = refusalOfCluster(layout);
    if (refusal.isPresent()) {
      return same(refusal.get());
    }
    if (newest.isEmpty() || newest.get().epoch().isBefore(layout.epoch())) {
      SortedMap<Epoch, Vote> open = new TreeMap<>(votes);
      open.keySet().removeIf(epoch -> !layout.epoch().isBefore(epoch));
      return new Step(new LayoutState(incarnation, Optional.of(layout), open), Reply.Done.DONE);
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

  /** Returns the reason to refuse a vote for a ballot of this epoch, or empty if there is none. */
  private Optional<Reply> refusal(Epoch epoch, Ballot ballot) {
    if (isOver(epoch)) {
      return Optional.of(new LayoutReply.Decided(newest.orElseThrow()));
    }
    if (epoch.equals(Epoch.NONE) || ballot.round() < 1) {
      return Optional.of(
          malformed("a ballot's round and its epoch start at 1, not at " + ballot + ", " + epoch));
    }
    if (newest.isPresent() ? !isVoter() : !epoch.equals(Epoch.FIRST)) {
      return Optional.of(
          new Failure.NotServing(notRelied("may have promised what it does not remember")));
    }
    Ballot promised = voteOf(epoch).promised();
    if (ballot.compareTo(promised) < 0) {
      return Optional.of(new LayoutReply.Outbid(promised));
    }
    if (ballot.round() - promised.round() > MAX_ROUNDS_AHEAD) {
      return Optional.of(
          malformed(
              "ballot %s of epoch %s is more than %s rounds beyond the promised one, %s"
                  .formatted(ballot, epoch, MAX_ROUNDS_AHEAD, promised)));
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

  /**
   * Returns the reason to refuse a proposed first layout, or empty if there is none. The proposer
   * has asked the servers for their incarnations. A server that has lost its disk since, and a
   * promise with it, has another incarnation.
   */
  private Optional<Reply> refusalOfFirst(Layout layout) {
    return newest.isPresent() || layout.reliesOnLayoutServer(incarnation)
        ? Optional.empty()
        : Optional.of(
            new Failure.NotServing(
                "the proposed first layout does not name this layout server's incarnation, "
                    + incarnation
                    + ": its disk is not the one that the proposer asked about; ask for its"
                    + " incarnation again"));
  }

  private String notRelied(String why) {
    return newest
            .map(layout -> "the layout of epoch " + layout.epoch() + " does not name")
            .orElse("no layout has been learned that names")
        + (" the incarnation " + incarnation + " of this layout server, which ")
        + why
        + ": it votes again, and grants leases, when it learns a layout that names it";
  }

  private boolean isOver(Epoch epoch) {
    return newest.isPresent() && !newest.get().epoch().isBefore(epoch);
  }

  /**
   * Returns the number of open epochs without the next one, which does not count: nothing may
   * prevent its decision.
   */
  private int openEpochs() {
    return votes.containsKey(nextEpoch()) ? votes.size() - 1 : votes.size();
  }

  private Epoch nextEpoch() {
    return newest.map(Layout::epoch).orElse(Epoch.NONE).next();
  }

  private Vote voteOf(Epoch epoch) {
    return votes.getOrDefault(epoch, Vote.NONE);
  }

  private LayoutState withPromise(Epoch epoch, Ballot ballot) {
    return with(epoch, new Vote(ballot, voteOf(epoch).accepted()));
  }

  private LayoutState withAccepted(Ballot ballot, Layout layout) {
    LayoutReply.Accepted accepted = new LayoutReply.Accepted(ballot, layout);
    return with(layout.epoch(), new Vote(ballot, Optional.of(accepted)));
  }

  private LayoutState with(Epoch epoch, Vote vote) {
    SortedMap<Epoch, Vote> changed = new TreeMap<>(votes);
    changed.put(epoch, vote);
    return new LayoutState(incarnation, newest, changed);
  }

  private Step same(Reply reply) {
    return new Step(this, reply);
  }

  private static Reply malformed(String reason) {
    return new Failure.Refused(Failure.Cause.MALFORMED, reason);
  }
}
