package corfu.objects;

import corfu.protocol.Address;
import java.time.Duration;

/**
 * Says how much of the objects' history a client keeps when it writes checkpoints. The client trims
 * history that is older than that and older than a complete checkpoint. No client can read the
 * trimmed history at any address, and its space is reused.
 */
public sealed interface History {

  /** Keeps all history; the default. */
  History FOR_EVER = new ForEver();

  /** All of it. */
  record ForEver() implements History {
    @Override
    public String toString() {
      return "history is kept for ever";
    }
  }

  /**
   * Keeps the changes at the newest addresses of the log.
   *
   * @param count the smallest number of addresses, of all streams together
   */
  record Addresses(long count) implements History {
    public Addresses {
      if (count < 0) {
        throw new IllegalArgumentException("history of " + count + " addresses can't be kept");
      }
    }

    @Override
    public String toString() {
      return "history of %d addresses is kept".formatted(count);
    }
  }

  /**
   * Keeps the changes of a period of time, by the clocks of the machines that write checkpoints.
   *
   * @param time the shortest period
   */
  record Age(Duration time) implements History {
    public Age {
      if (time.isNegative()) {
        throw new IllegalArgumentException("history can't be kept for " + time);
      }
    }

    @Override
    public String toString() {
      return "history is kept for " + time;
    }
  }

  /**
   * Keeps the changes from an address on.
   *
   * @param first the lowest address that can be read
   */
  record From(Address first) implements History {
    @Override
    public String toString() {
      return "history is kept from address %s on".formatted(first);
    }
  }

  /** Keeps the changes within this many of the newest addresses of the log. */
  static History ofAddresses(long count) {
    return new Addresses(count);
  }

  /** Keeps the changes of this period of time. */
  static History ofTime(Duration time) {
    return new Age(time);
  }

  /** Keeps the changes from this address on. */
  static History from(Address first) {
    return new From(first);
  }
}
