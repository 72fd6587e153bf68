package corfu.access;

import corfu.protocol.Identity;
import corfu.protocol.Permission;
import java.nio.ByteBuffer;

/**
 * The replicated policy: it applies the changes in the order of the log, on every server with the
 * same outcome. Not thread-safe.
 *
 * <p>An administrator cannot take the permission {@code administer} from itself. Another one can,
 * and the administrators of the configuration always can. So nobody is locked out by mistake.
 */
public final class PolicyMachine {

  private AccessPolicy policy = AccessPolicy.EMPTY;
  private long neededFrom = Long.MAX_VALUE;

  /** Creates a machine before the first change. */
  public PolicyMachine() {}

  /** Returns the present policy. */
  public AccessPolicy policy() {
    return policy;
  }

  /**
   * Returns the log address of the oldest entry that makes this policy: the newest snapshot, or the
   * first change. {@link Long#MAX_VALUE} if there is none.
   */
  public long neededFrom() {
    return neededFrom;
  }

  /**
   * Applies a change from the log. Bytes that are no change are refused, and have no effect.
   *
   * @param bytes the payload of the entry
   * @param address the entry's log address
   * @throws UnknownPolicyFormatException if a later version of the program has written the change
   */
  public PolicyOutcome apply(ByteBuffer bytes, long address) {
    try {
      return apply(PolicyCodec.decodeChange(bytes), address);
    } catch (DamagedPolicyException damaged) {
      policy = policy.at(address + 1);
      return new PolicyOutcome.Refused(String.valueOf(damaged.getMessage()));
    }
  }

  /** Applies a change that is at this address of the log. */
  public PolicyOutcome apply(PolicyChange change, long address) {
    long version = address + 1;
    neededFrom = Math.min(neededFrom, address);
    if (change.command() instanceof PolicyCommand.Snapshot(AccessPolicy whole)) {
      return apply(whole, address);
    }
    if (isSoAlready(change.command())) {
      policy = policy.at(version);
      return new PolicyOutcome.Unchanged("the policy has been so before");
    }
    AccessPolicy next = after(change.command()).at(version);
    String objection = objection(change.author(), next);
    if (!objection.isEmpty()) {
      policy = policy.at(version);
      return new PolicyOutcome.Refused(objection);
    }
    policy = next;
    return new PolicyOutcome.Changed(version);
  }

  /**
   * Applies a snapshot, unless a change came between it and the policy that it has. A machine whose
   * first changes are trimmed knows an older version, and gets the whole policy here.
   */
  private PolicyOutcome apply(AccessPolicy whole, long address) {
    if (whole.version() < policy.version()) {
      policy = policy.at(address + 1);
      return new PolicyOutcome.Unchanged("the policy has changed since the snapshot");
    }
    policy = whole.at(address + 1);
    neededFrom = address;
    return new PolicyOutcome.Changed(address + 1);
  }

  private boolean isSoAlready(PolicyCommand command) {
    return switch (command) {
      case PolicyCommand.Give(Grant grant) -> policy.grants().contains(grant);
      case PolicyCommand.Revoke(Grant grant) -> !policy.grants().contains(grant);
      case PolicyCommand.SetRole(AccessRole role) -> role.equals(policy.roles().get(role.name()));
      case PolicyCommand.RemoveRole(String name) -> !policy.roles().containsKey(name);
      case PolicyCommand.SetQuota(Subject subject, Quota quota) ->
          quota.equals(policy.quotas().get(subject));
      case PolicyCommand.RemoveQuota(Subject subject) -> !policy.quotas().containsKey(subject);
      case PolicyCommand.Snapshot snapshot -> false;
    };
  }

  private AccessPolicy after(PolicyCommand command) {
    return switch (command) {
      case PolicyCommand.Give(Grant grant) -> policy.with(grant);
      case PolicyCommand.Revoke(Grant grant) -> policy.without(grant);
      case PolicyCommand.SetRole(AccessRole role) -> policy.with(role);
      case PolicyCommand.RemoveRole(String name) -> policy.withoutRole(name);
      case PolicyCommand.SetQuota(Subject subject, Quota quota) -> policy.with(subject, quota);
      case PolicyCommand.RemoveQuota(Subject subject) -> policy.withoutQuota(subject);
      case PolicyCommand.Snapshot(AccessPolicy whole) -> whole;
    };
  }

  private String objection(Identity author, AccessPolicy next) {
    if (next.grants().size() > AccessPolicy.MOST_GRANTS) {
      return tooMany("grants", AccessPolicy.MOST_GRANTS);
    }
    if (next.roles().size() > AccessPolicy.MOST_ROLES) {
      return tooMany("roles", AccessPolicy.MOST_ROLES);
    }
    if (next.quotas().size() > AccessPolicy.MOST_QUOTAS) {
      return tooMany("quotas", AccessPolicy.MOST_QUOTAS);
    }
    if (next.roles().values().stream().mapToInt(role -> role.members().size()).sum()
        > AccessPolicy.MOST_MEMBERS) {
      return tooMany("members of roles", AccessPolicy.MOST_MEMBERS);
    }
    boolean locksItselfOut =
        policy.rightsOf(author).has(Permission.ADMINISTER)
            && !next.rightsOf(author).has(Permission.ADMINISTER);
    return locksItselfOut
        ? author + " would take the permission administer from itself; let another one do that"
        : "";
  }

  private static String tooMany(String what, int most) {
    return "a policy has up to %,d %s; remove others first, or use prefixes and roles"
        .formatted(most, what);
  }

  /** Returns the state as bytes, for a checkpoint. */
  public ByteBuffer save() {
    return PolicyCodec.encode(policy);
  }

  /**
   * Returns the machine of a saved state.
   *
   * @throws DamagedPolicyException if the bytes were changed
   * @throws UnknownPolicyFormatException if a later version of the program has written them
   */
  public static PolicyMachine load(ByteBuffer saved) {
    PolicyMachine machine = new PolicyMachine();
    machine.policy = PolicyCodec.decodePolicy(saved);
    machine.neededFrom = machine.policy.version() == 0 ? Long.MAX_VALUE : 0;
    return machine;
  }
}
