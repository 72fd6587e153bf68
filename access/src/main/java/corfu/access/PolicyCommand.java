package corfu.access;

/** A change of the policy. */
public sealed interface PolicyCommand {

  /** Gives a permission. */
  record Give(Grant grant) implements PolicyCommand {}

  /** Takes a permission away, which was given in the same words. */
  record Revoke(Grant grant) implements PolicyCommand {}

  /** Makes a role, or gives it other members. */
  record SetRole(AccessRole role) implements PolicyCommand {}

  /** Removes a role. Grants to it stay, without effect. */
  record RemoveRole(String name) implements PolicyCommand {}

  /** Sets the quota of a subject. */
  record SetQuota(Subject subject, Quota quota) implements PolicyCommand {}

  /** Removes the quota of a subject. */
  record RemoveQuota(Subject subject) implements PolicyCommand {}

  /**
   * States the whole policy again, so that earlier changes may be trimmed. Servers write it. It has
   * no effect if the policy has changed since.
   *
   * @param policy the policy, with its version
   */
  record Snapshot(AccessPolicy policy) implements PolicyCommand {}
}
