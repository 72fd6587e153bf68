package corfu.protocol.stream;

import java.util.List;

/**
 * The condition of a token: since the snapshot, no token was issued that changes what the client
 * has read (vCorfu, section 3.2; dissertation, section 5.2).
 *
 * @param snapshot the log address up to which, exclusively, the client has seen the log
 * @param reads the parts of streams that the client has read
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
