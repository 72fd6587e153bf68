package corfu.access;

/** Whether a policy allows something, with the reason for people. */
public sealed interface AccessDecision {

  /** Returns whether it is allowed. */
  default boolean isAllowed() {
    return this instanceof Allowed;
  }

  /** Returns the reason for people. */
  String reason();

  /** It is allowed. */
  record Allowed(String reason) implements AccessDecision {}

  /** It is not allowed. */
  record Denied(String reason) implements AccessDecision {}
}
