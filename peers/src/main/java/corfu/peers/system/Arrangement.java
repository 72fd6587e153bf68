package corfu.peers.system;

import corfu.roles.logunit.options.UnitMode;

/**
 * What is promised of an entry whose append was acknowledged.
 *
 * @param copies how many servers it is on, or, where a majority suffices, will be on
 * @param mode what it survives on each of them
 */
public record Arrangement(int copies, UnitMode mode) {

  public Arrangement {
    if (copies < 1) {
      throw new IllegalArgumentException("an entry has one copy or more, not " + copies);
    }
  }

  @Override
  public String toString() {
    return "%d %s, %s".formatted(copies, copies == 1 ? "copy" : "copies", mode.text());
  }
}
