package corfu.access.gate;

import corfu.access.AccessPolicy;
import corfu.access.audit.AuditEvent;
import corfu.access.audit.AuditTrail;
import corfu.access.quota.QuotaAccount;
import corfu.access.quota.QuotaLedger;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamTail;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Decides on the requests of clients before the roles of a server see them (docs/design.md, section
 * 9). A request that is not allowed has no effect, and its refusal tells nothing about streams that
 * the client may not use. The server's requests to itself do not pass here.
 *
 * <p>Until the policy is known, only the configured identities are served. Lives on the server's
 * loop, like the roles.
 */
public final class AccessGate {

  private final GateOptions options;
  private final Surroundings surroundings;
  private final AuditTrail audit;
  private final LongSupplier nanoTime;
  private final Next next;
  private final QuotaLedger quotas;
  private final IdentitySessions sessions;
  private final LogUnitRules logUnitRules;
  private final SealRules seals;
  private final ReplyFilter filter;
  private Optional<AccessPolicy> policy = Optional.empty();
  private long confirmedNanos;

  /** The roles behind the gate. */
  @FunctionalInterface
  public interface Next {

    /** Handles an allowed request, and calls {@code reply} once, at any later time. */
    void handle(Request request, RequestOrigin origin, Consumer<Reply> reply);
  }

  /**
   * @param options the bounds
   * @param trusted the identities of the configuration
   * @param surroundings the other parts of the server
   * @param audit receives refusals and privileged actions
   * @param next the roles
   */
  public AccessGate(
      GateOptions options,
      TrustedIdentities trusted,
      Surroundings surroundings,
      AuditTrail audit,
      Next next) {
    this.options = options;
    this.surroundings = surroundings;
    this.audit = audit;
    this.nanoTime = surroundings.nanoTime();
    this.next = next;
    this.quotas =
        new QuotaLedger(
            surroundings.entries(), nanoTime, options.mostIdentities(), trusted::contains);
    this.sessions = new IdentitySessions(trusted, options, quotas, surroundings.random());
    this.logUnitRules = new LogUnitRules(surroundings, options);
    this.seals = new SealRules(surroundings);
    this.filter = new ReplyFilter(surroundings.entries());
  }

  /** Enforces this policy from now on, also for replies to earlier requests. */
  public void enforce(AccessPolicy newest) {
    policy = Optional.of(newest);
    quotas.use(policy);
    sessions.use(policy);
    isNewest();
  }

  /** Records that there is no newer policy than the enforced one at this moment. */
  public void isNewest() {
    confirmedNanos = nanoTime.getAsLong();
  }

  /** Serves only the configured identities from now on, because the policy cannot be read. */
  public void forgetPolicy() {
    policy = Optional.empty();
    quotas.use(policy);
    sessions.use(policy);
  }

  /** Returns the enforced policy, or empty if none is known yet. */
  public Optional<AccessPolicy> policy() {
    return policy;
  }

  /** Returns the quotas, which count on the loop. */
  public QuotaLedger quotas() {
    return quotas;
  }

  /** Returns the name of a stream that an identity has introduced, or empty. */
  public Optional<String> nameFor(Identity identity, StreamId stream) {
    return sessions.nameFor(identity, stream);
  }

  /**
   * Counts a new connection.
   *
   * @return the reason to close it instead, or empty
   */
  public Optional<Failure> connected(RequestOrigin origin) {
    IdentitySession who = sessions.of(origin.identity());
    return quotas.connected(who.identity(), who.account());
  }

  /** A counted connection has ended. */
  public void disconnected(RequestOrigin origin) {
    quotas.disconnected(origin.identity());
  }

  /**
   * Handles a client's request: refuses it, or passes it to the roles.
   *
   * @param origin the client, with the identity that it has proven
   * @param reply receives the reply once, on the server's loop
   */
  public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    IdentitySession who = sessions.of(origin.identity());
    Optional<Failure> objection = who.isFull() ? serverOnly(request, who) : objection(request, who);
    if (objection.isEmpty()
        && request instanceof LogUnitRequest.Write write
        && !who.has(Permission.OPERATE)) {
      switch (seals.proof(write, who)) {
        case SealRules.Proof.Given given -> {}
        case SealRules.Proof.Lacking(Failure failure) -> objection = Optional.of(failure);
        case SealRules.Proof.Unknown unknown -> {
          askSequencer(write, origin, reply);
          return;
        }
      }
    }
    Optional<QuotaAccount> account = who.account();
    if (objection.isEmpty() && account.isPresent()) {
      objection = quotas.objection(request, account.get());
    }
    if (objection.isPresent()) {
      refuse(request, objection.get(), who, origin);
      reply.accept(objection.get());
    } else {
      allow(request, who, origin, reply);
    }
  }

  /**
   * Only the sequencer can tell whether the client holds the tokens of its write. The request waits
   * for the answer, and begins anew: the policy may have changed meanwhile.
   */
  private void askSequencer(
      LogUnitRequest.Write write, RequestOrigin origin, Consumer<Reply> reply) {
    surroundings
        .sequencers()
        .ask(
            write.epoch(),
            failure -> failure.ifPresentOrElse(reply, () -> handle(write, origin, reply)));
  }

  /** Answers an allowed request, or passes it to the roles. */
  private void allow(
      Request request, IdentitySession who, RequestOrigin origin, Consumer<Reply> reply) {
    Optional<QuotaAccount> account = who.account();
    switch (request) {
      case NodeRequest.Introduce introduce -> {
        sessions.introduce(who, introduce.names());
        reply.accept(Reply.Done.DONE);
      }
      case NodeRequest.AskAccess ask -> reply.accept(access());
      case NodeRequest.AskTokenKey ask ->
          reply.accept(new NodeReply.SealingKey(Optional.of(seals.own().key())));
      case NodeRequest.AskQuotas ask -> reply.accept(quotas.report());
      case LogUnitRequest.Install install when !who.has(Permission.OPERATE) -> {
        surroundings.heardOf().accept(install.epoch());
        reply.accept(asksLayoutServers(install));
      }
      default -> {
        Consumer<Reply> audited =
            PrivilegedActions.contains(request, who) ? audited(request, who, origin, reply) : reply;
        if (who.isFull()) {
          next.handle(request, origin, audited);
        } else if (account.isPresent()) {
          passLimited(request, who, account.get(), origin, audited);
        } else {
          pass(request, who, origin, audited);
        }
      }
    }
  }

  /** Administrators may do everything but what only a server can say of itself. */
  private Optional<Failure> serverOnly(Request request, IdentitySession who) {
    return switch (request) {
      case LayoutRequest.Renew renew -> LayoutRules.objection(renew, who);
      case LayoutRequest.Remember remember -> LayoutRules.objection(remember, who);
      case NodeRequest.AskTokenKey ask -> NodeRules.objection(ask, who, options);
      default -> Refusals.NONE;
    };
  }

  /** Returns the reason to refuse a request, or empty. Each kind of requests has its rules. */
  private Optional<Failure> objection(Request request, IdentitySession who) {
    if (policy.isEmpty() && !(request instanceof NodeRequest.Hello)) {
      return Optional.of(Refusals.notKnownYet(who));
    }
    return switch (request) {
      case LogUnitRequest forUnit -> logUnitRules.objection(forUnit, who);
      case SequencerRequest forSequencer -> SequencerRules.objection(forSequencer, who);
      case LayoutRequest forLayout -> LayoutRules.objection(forLayout, who);
      case NodeRequest forServer -> NodeRules.objection(forServer, who, options);
      case ViewRequest.Call call -> toCall(call, who);
    };
  }

  /** A change of a view returns something of its state, so it takes both permissions. */
  private Optional<Failure> toCall(ViewRequest.Call call, IdentitySession who) {
    Optional<Failure> objection = Refusals.without(Permission.READ, call.stream(), who);
    return objection.isPresent() || surroundings.changesNothing().test(call)
        ? objection
        : Refusals.without(Permission.APPEND, call.stream(), who);
  }

  /** Passes a request of a client without all permissions, or the part of it that is allowed. */
  private void pass(
      Request request, IdentitySession who, RequestOrigin origin, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest.Read read -> next.handle(read, origin, filtering(who, reply));
      case LogUnitRequest.ReadBlocks read -> next.handle(read, origin, filtering(who, reply));
      case NodeRequest.AskStatus ask -> next.handle(ask, origin, filtering(who, reply));
      case LogUnitRequest.ListStreams list -> list(list, who, origin, reply);
      case LogUnitRequest.Follow follow ->
          next.handle(
              new LogUnitRequest.Follow(
                  follow.epoch(), who.follower(follow.follower()), follow.add(), follow.remove()),
              origin,
              reply);
      case LogUnitRequest.Listen listen ->
          next.handle(
              new LogUnitRequest.Listen(
                  listen.epoch(), who.follower(listen.follower()), listen.maxBytes()),
              origin,
              filtering(who, reply));
      case LogUnitRequest.Complete complete -> {
        LogUnitRequest.Complete own = logUnitRules.reduced(complete, who);
        if (own.addresses().count() == 0) {
          reply.accept(Reply.Done.DONE);
        } else {
          next.handle(own, origin, reply);
        }
      }
      case SequencerRequest.Next ask ->
          next.handle(ask, origin, seals.sealing(ask.epoch(), who, reply));
      case SequencerRequest.NextInStreams ask -> {
        List<StreamTail> known = SequencerRules.believable(ask.known(), who);
        next.handle(
            known == ask.known()
                ? ask
                : new SequencerRequest.NextInStreams(ask.epoch(), ask.wishes(), known),
            origin,
            seals.sealing(ask.epoch(), who, reply));
      }
      case SequencerRequest.AskStreams ask -> {
        List<StreamTail> known = SequencerRules.believable(ask.known(), who);
        next.handle(
            known == ask.known()
                ? ask
                : new SequencerRequest.AskStreams(ask.epoch(), ask.streams(), known),
            origin,
            reply);
      }
      default -> next.handle(request, origin, reply);
    }
  }

  /** Passes a request of a client with a quota, or the part of it for which the quota has room. */
  private void passLimited(
      Request request,
      IdentitySession who,
      QuotaAccount account,
      RequestOrigin origin,
      Consumer<Reply> reply) {
    Consumer<Reply> counted = quotas.counting(request, account, reply);
    switch (request) {
      case LogUnitRequest.Follow follow ->
          pass(quotas.reduced(follow, account), who, origin, counted);
      case SequencerRequest.NextInStreams ask when quotas.hasAllStreams(account) ->
          unlessNew(ask, who, account, origin, counted);
      default -> pass(request, who, origin, counted);
    }
  }

  /** Passes a request for tokens if the sequencer knows entries of all streams in it. */
  private void unlessNew(
      SequencerRequest.NextInStreams ask,
      IdentitySession who,
      QuotaAccount account,
      RequestOrigin origin,
      Consumer<Reply> reply) {
    List<StreamId> streams =
        ask.wishes().stream()
            .flatMap(wish -> wish.writes().stream())
            .map(StreamPart::stream)
            .distinct()
            .toList();
    pass(
        new SequencerRequest.AskStreams(ask.epoch(), streams, ask.known()),
        who,
        origin,
        answer -> {
          if (!(answer instanceof SequencerReply.StreamEnds(var next, var began, var ends))) {
            reply.accept(answer);
            return;
          }
          for (int i = 0; i < streams.size(); i++) {
            if (ends.get(i).streamAddress() == 0) {
              reply.accept(quotas.overStreams(streams.get(i), account));
              return;
            }
          }
          pass(ask, who, origin, reply);
        });
  }

  /** The session may be another one when the reply comes, because of a new policy. */
  private Consumer<Reply> filtering(IdentitySession who, Consumer<Reply> reply) {
    return answer -> reply.accept(filter.filtered(answer, sessions.of(who.identity())));
  }

  /**
   * Lists the streams that the client may read. Asks again while the unit knows more and none of
   * its streams is visible: an empty list would not tell where to continue.
   */
  private void list(
      LogUnitRequest.ListStreams list,
      IdentitySession who,
      RequestOrigin origin,
      Consumer<Reply> reply) {
    next.handle(
        list,
        origin,
        answer -> {
          if (!(answer instanceof LogUnitReply.Streams streams)) {
            reply.accept(answer);
            return;
          }
          IdentitySession now = sessions.of(who.identity());
          List<StreamTail> visible = ReplyFilter.visible(streams.tails(), now);
          if (visible.isEmpty() && streams.more()) {
            list(
                new LogUnitRequest.ListStreams(
                    list.epoch(), list.part(), streams.tails().getLast().stream()),
                now,
                origin,
                reply);
          } else {
            reply.accept(new LogUnitReply.Streams(visible, streams.more()));
          }
        });
  }

  private NodeReply.Access access() {
    return policy
        .map(
            known ->
                new NodeReply.Access(
                    known.version(),
                    TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - confirmedNanos),
                    true))
        .orElseGet(() -> new NodeReply.Access(0, NodeReply.Access.NEVER, true));
  }

  private static Failure asksLayoutServers(LogUnitRequest.Install install) {
    return new Failure.NotServing(
        "this server takes layouts from layout servers and operators only; it asks the layout"
            + " servers now whether the layout of epoch %s has been decided; try again"
                .formatted(install.epoch()));
  }

  // -------------------------------------------------------------------------------------- audit

  private Optional<String> nameOf(StreamId stream, IdentitySession who) {
    return who.name(stream).or(() -> policy.flatMap(known -> known.nameOf(stream)));
  }

  private void refuse(Request request, Failure failure, IdentitySession who, RequestOrigin origin) {
    if (failure instanceof Failure.Forbidden(var permission, var stream, var reason)) {
      audit.add(
          new AuditEvent(
                  AuditEvent.Kind.REFUSED,
                  who.identity(),
                  origin.name(),
                  PrivilegedActions.nameOf(request),
                  Optional.of(permission),
                  stream,
                  "",
                  1)
              .named(id -> nameOf(id, who)));
    }
  }

  /** An action that a role has refused is none, unless its effect is unknown. */
  private Consumer<Reply> audited(
      Request request, IdentitySession who, RequestOrigin origin, Consumer<Reply> reply) {
    List<PrivilegedActions.Action> actions = PrivilegedActions.of(request, who, origin);
    return answer -> {
      if (!(answer instanceof Failure) || answer instanceof Failure.Broken) {
        actions.stream()
            .filter(action -> action.mayBeDone(answer))
            .forEach(action -> audit.add(action.event().named(id -> nameOf(id, who))));
      }
      reply.accept(answer);
    };
  }
}
