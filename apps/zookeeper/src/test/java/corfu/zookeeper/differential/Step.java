package corfu.zookeeper.differential;

import java.util.List;

/** A step of a program. All watch events of a step arrive before the next one starts. */
sealed interface Step {

  /** Returns the index of the session that acts. */
  int session();

  /** Creates a session if this one is not connected. */
  record Open(int session) implements Step {}

  /** Sends requests without waiting for replies in between. */
  record Send(int session, List<Request> requests) implements Step {}

  /** Closes the session. */
  record Close(int session) implements Step {}

  /** Connects again with the session's id. */
  record Reconnect(int session, Variant variant) implements Step {}

  /** Drops the connection and waits until the session has expired. */
  record Expire(int session) implements Step {}

  /** The ways to connect again. */
  enum Variant {
    AFTER_DROP,
    WHILE_CONNECTED,
    WRONG_PASSWORD,
    SHORT_PASSWORD,
    UNKNOWN_SESSION,
    FUTURE_ZXID
  }
}
