package corfu.objects;

import corfu.protocol.Address;
import java.time.Duration;

/**
 * How much of objects' history a client keeps when it writes checkpoints. What is older than that,
 * and older than a complete checkpoint, is forgotten, for everybody: it can be read at no address
 * any more, and its space comes back.
 */
public sealed interface History {

  /** All of it; the default. */
  History FOR_EVER = new ForEver();

  /** All of it. */
  record ForEver() implements History {
    @Override
    public String toString() {
      return "history is kept for ever";
    }
  }

  /**
   * What changed within the newest addresses of the log.
   *
   * @param count how many addresses at least, of all streams together
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
   * What changed within a time, as the machines believe that write checkpoints.
   *
   * @param time how long at least
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
   * What changed from an address on.
   *
   * @param first the lowest address that can be read
   */
  record From(Address first) implements History {
    @Override
    public String toString() {
      return "history is kept from address %s on".formatted(first);
    }
  }

  /** What changed within the newest addresses of the log. */
  static History ofAddresses(long count) {
    return new Addresses(count);
  }

  /** What changed within this time. */
  static History ofTime(Duration time) {
    return new Age(time);
  }

  /** What changed from this address on. */
  static History from(Address first) {
    return new From(first);
  }
}
