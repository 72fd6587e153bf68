package corfu.runtime.access;

import corfu.access.AccessDecision;
import corfu.access.AccessPolicy;
import corfu.access.AccessRole;
import corfu.access.Grant;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.PolicyMachine;
import corfu.access.PolicyOutcome;
import corfu.access.StreamNames;
import corfu.access.Target;
import corfu.access.quota.QuotaTotals;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permissions of a cluster, for administrators. The policy is a replicated object in the stream
 * {@link StreamNames#POLICY}. To read it takes {@code observe}, to change it {@code administer}.
 *
 * <pre>{@code
 * AccessControl access = AccessControl.over(corfu, new Identity("spiffe://prod/client/admin"));
 * Grant grant = new Grant(Subject.parse("spiffe://prod/client/app"), APPEND, Target.parse("orders/*"));
 * access.grant(grant);
 * List<EnforcementReport> late = access.awaitEnforced(Duration.ofSeconds(1));
 * }</pre>
 *
 * Thread-safe. All calls throw {@link corfu.runtime.AccessDeniedException} if this client lacks the
 * permission, and end like those of {@link corfu.runtime.Log}.
 */
public final class AccessControl {

  /** The time between two questions to a server. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final StreamAccess access;
  private final LogStream stream;
  private final Identity author;
  private final ReentrantLock lock = new ReentrantLock();
  private final StreamReader reader;
  private final PolicyMachine machine = new PolicyMachine();

  private AccessControl(Corfu corfu, Identity author) {
    this.access = corfu.streamAccess();
    this.stream = Streams.over(corfu).open(StreamNames.POLICY);
    this.reader = stream.reader();
    this.author = author;
  }

  /**
   * Returns the permissions of the cluster of this client.
   *
   * @param author the client's identity, which the changes name as their author
   */
  public static AccessControl over(Corfu corfu, Identity author) {
    return new AccessControl(corfu, author);
  }

  /** Returns the newest policy, with all changes that completed before this call. */
  public AccessPolicy policy() {
    CallScope call = access.call();
    lock.lock();
    try {
      var unused = play(-1);
      return machine.policy();
    } finally {
      lock.unlock();
      call.end();
    }
  }

  /** Gives a permission. */
  public PolicyOutcome grant(Grant grant) {
    return change(new PolicyCommand.Give(grant));
  }

  /** Takes a permission away, which was given in the same words. */
  public PolicyOutcome revoke(Grant grant) {
    return change(new PolicyCommand.Revoke(grant));
  }

  /** Makes a role, or gives it other members. */
  public PolicyOutcome setRole(AccessRole role) {
    return change(new PolicyCommand.SetRole(role));
  }

  /** Removes a role. Grants to it stay, without effect. */
  public PolicyOutcome removeRole(String name) {
    return change(new PolicyCommand.RemoveRole(name));
  }

  /** Changes the policy. Servers enforce the change within a second; see {@link #awaitEnforced}. */
  public PolicyOutcome change(PolicyCommand command) {
    CallScope call = access.call();
    lock.lock();
    try {
      long address =
          stream.append(PolicyCodec.encode(new PolicyChange(author, command))).address().value();
      return play(address)
          .orElseThrow(
              () ->
                  new UnavailableException(
                      "the change of the policy at address %d is in the log, but cannot be read"
                          .formatted(address)));
    } finally {
      lock.unlock();
      call.end();
    }
  }

  /** Applies all changes up to the stream's end. Returns the outcome of the one at the address. */
  private Optional<PolicyOutcome> play(long address) {
    Optional<PolicyOutcome> wanted = Optional.empty();
    var unused = reader.sync();
    for (StreamRead.Entry entry : reader.readRest()) {
      PolicyOutcome outcome = machine.apply(entry.payload(), entry.address().value());
      if (entry.address().value() == address) {
        wanted = Optional.of(outcome);
      }
    }
    return wanted;
  }

  /**
   * Returns whether the newest policy gives an identity a permission. It does not know the
   * identities in the configurations of servers, which may do everything.
   *
   * @param target a stream by name or id; {@link Target.Whole} if the permission is not for streams
   * @throws IllegalArgumentException if the target is not one stream, or does not fit the
   *     permission
   */
  public AccessDecision check(Identity identity, Permission permission, Target target) {
    AccessPolicy newest = policy();
    return switch (target) {
      case Target.Named(String name) ->
          newest.decide(identity, permission, StreamId.named(name), Optional.of(name));
      case Target.Id(StreamId id) -> newest.decide(identity, permission, id, Optional.empty());
      case Target.Whole whole -> newest.decide(identity, permission);
      case Target.NamePrefix prefix -> throw manyStreams(target);
      case Target.IdPrefix prefix -> throw manyStreams(target);
      case Target.AllStreams all -> throw manyStreams(target);
    };
  }

  private static IllegalArgumentException manyStreams(Target target) {
    return new IllegalArgumentException(
        "%s is many streams; check one stream, by its name or as id:UUID".formatted(target.text()));
  }

  /** Asks every server of the layout which version of the policy it enforces. */
  public List<EnforcementReport> servers() {
    List<EnforcementReport> answers = new ArrayList<>();
    for (Endpoint server : access.layout().servers()) {
      answers.add(ask(server, PAUSE.multipliedBy(25)));
    }
    return answers;
  }

  /**
   * Asks every server of the layout how much of their quotas identities use. Takes {@code observe}.
   * Stored entries count as of some seconds ago.
   */
  public QuotaReport quotas() {
    QuotaTotals totals = new QuotaTotals();
    List<Endpoint> silent = new ArrayList<>();
    for (Endpoint server : access.layout().servers()) {
      if (askForQuotas(server) instanceof NodeReply.Quotas(var uses)) {
        totals.add(uses);
      } else {
        silent.add(server);
      }
    }
    return new QuotaReport(totals.totals(), silent);
  }

  private Reply askForQuotas(Endpoint server) {
    try {
      Reply reply = access.ask(server, new NodeRequest.AskQuotas(), PAUSE.multipliedBy(25));
      if (reply instanceof Failure.Forbidden(var permission, var stream, String reason)) {
        throw new AccessDeniedException("read quotas", server, permission, stream, reason);
      }
      return reply;
    } catch (UnavailableException noAnswer) {
      return new Failure.NotServing(String.valueOf(noAnswer.getMessage()));
    }
  }

  /**
   * Waits until all servers of the layout enforce the newest policy that this object has read or
   * written. A server without TLS enforces nothing, and is not waited for.
   *
   * @param patience the longest time to wait
   * @return the servers that do not answer, do not enforce permissions, or are behind; empty if
   *     there are none
   */
  public List<EnforcementReport> awaitEnforced(Duration patience) {
    long version = version();
    Deadline end = Deadline.in(access.world(), patience);
    List<EnforcementReport> late = new ArrayList<>();
    for (Endpoint server : access.layout().servers()) {
      EnforcementReport answer =
          ask(server, Duration.ofNanos(Math.max(1, end.remainingNanos(patience))));
      while (!answer.enforces(version) && !answer.isOpen() && !end.hasPassed()) {
        access.world().pause(PAUSE);
        answer = ask(server, Duration.ofNanos(Math.max(1, end.remainingNanos(patience))));
      }
      if (!answer.enforces(version)) {
        late.add(answer);
      }
    }
    return late;
  }

  private long version() {
    lock.lock();
    try {
      return machine.policy().version();
    } finally {
      lock.unlock();
    }
  }

  private EnforcementReport ask(Endpoint server, Duration patience) {
    try {
      Reply reply = access.ask(server, new NodeRequest.AskAccess(), patience);
      return switch (reply) {
        case NodeReply.Access known -> new EnforcementReport(server, Optional.of(known), "");
        case Failure.Forbidden(var permission, var of, String reason) -> silent(server, reason);
        default -> silent(server, "answered " + reply);
      };
    } catch (UnavailableException noAnswer) {
      return silent(server, String.valueOf(noAnswer.getMessage()));
    }
  }

  private static EnforcementReport silent(Endpoint server, String problem) {
    return new EnforcementReport(server, Optional.empty(), problem);
  }
}
