package corfu.access;

import java.util.stream.Collectors;

/** A change of the policy. */
public sealed interface PolicyCommand {

  /** Returns the change for people, in the words of {@code corfu access}. */
  default String text() {
    return switch (this) {
      case Give(Grant grant) -> "grant " + grant.text();
      case Revoke(Grant grant) -> "revoke " + grant.text();
      case SetRole(AccessRole role) ->
          "role set "
              + role.name()
              + role.members().stream()
                  .map(member -> " " + member.text())
                  .collect(Collectors.joining());
      case RemoveRole(String name) -> "role remove " + name;
      case SetQuota(Subject subject, Quota quota) -> "set the quota of " + subject.text();
      case RemoveQuota(Subject subject) -> "remove the quota of " + subject.text();
      case Snapshot(AccessPolicy policy) ->
          "state the policy of version " + policy.version() + " again";
    };
  }

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
