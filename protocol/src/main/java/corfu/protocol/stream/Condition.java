package corfu.protocol.stream;

import java.util.List;

/**
 * Under which a token is wanted: nothing of what was read has been given a token since (vCorfu,
 * section 3.2; dissertation, section 5.2).
 *
 * @param snapshot who asks has seen the log up to, not including, this address
 * @param reads what of it
 */
public record Condition(long snapshot, List<StreamPart> reads) {

  public Condition {
    reads = List.copyOf(reads);
    if (snapshot < 0) {
      throw new IllegalArgumentException(
          "a snapshot is at address 0 or later, but not at " + snapshot);
    }
  }
}
