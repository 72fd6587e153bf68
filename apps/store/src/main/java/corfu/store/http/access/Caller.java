package corfu.store.http.access;

import corfu.protocol.Identity;

/** The sender of a request. */
public sealed interface Caller {

  /**
   * A sender with an identity, or {@link Identity#ANONYMOUS}.
   *
   * @param identity the proven identity
   */
  record Known(Identity identity) implements Caller {}

  /**
   * A sender whose certificate or token is not accepted.
   *
   * @param reason the reason for the sender; it has no part of a token
   */
  record Unproven(String reason) implements Caller {}
}
