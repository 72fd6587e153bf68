package corfu.peers.system;

import corfu.roles.logunit.options.UnitMode;

/**
 * The guarantee for an entry whose append was acknowledged.
 *
 * @param copies the number of servers that have the entry or, where a majority suffices, will have
 *     it; at least 1
 * @param mode the durability of each copy
 */
public record Replication(int copies, UnitMode mode) {

  public Replication {
    if (copies < 1) {
      throw new IllegalArgumentException("an entry has one copy or more, not " + copies);
    }
  }

  @Override
  public String toString() {
    return "%d %s, %s".formatted(copies, copies == 1 ? "copy" : "copies", mode.text());
  }
}
