package corfu.store.http.access;

/** The decision on a request. */
public sealed interface AccessVerdict {

  /** The request may be executed. */
  record Allowed() implements AccessVerdict {}

  /**
   * The sender lacks a permission.
   *
   * @param reason the permission, and what to do
   */
  record Denied(String reason) implements AccessVerdict {}

  /**
   * The policy is not known at present.
   *
   * @param reason the reason
   */
  record Undecided(String reason) implements AccessVerdict {}
}
