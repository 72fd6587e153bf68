package corfu.mirror;

import corfu.protocol.StreamId;
import java.time.Duration;
import java.util.List;

/**
 * The options of a mirror. Each {@code with} method changes one of them.
 *
 * @param streams the streams to copy; empty means the whole log
 * @param cutOff the reaction to entries that the source trimmed before they were copied
 * @param poll the pause before the next look for new entries, if all entries are copied
 * @param forgetEvery the time between two looks for trims of the source, 0 or more
 * @param maxPiece the largest number of addresses of a piece, 1 or more; large entries make pieces
 *     smaller
 */
public record MirrorOptions(
    List<StreamId> streams, CutOff cutOff, Duration poll, Duration forgetEvery, int maxPiece) {

  /** The reaction to entries that the source trimmed before they were copied. */
  public enum CutOff {
    /** Stop: the mirror keeps its prefix, and can be promoted. */
    REFUSE,
    /**
     * Continue without them. Until the mirror has copied everything that the source holds now, it
     * can be promoted by force only.
     */
    GO_ON
  }

  public static final MirrorOptions DEFAULT =
      new MirrorOptions(
          List.of(), CutOff.REFUSE, Duration.ofMillis(10), Duration.ofSeconds(10), 1024);

  public MirrorOptions {
    streams = List.copyOf(streams);
    if (maxPiece < 1 || poll.isNegative() || forgetEvery.isNegative()) {
      throw new IllegalArgumentException(
          "a mirror copies 1 address at a time or more, and waits 0 or more, but this is "
              + "%d addresses, %s and %s".formatted(maxPiece, poll, forgetEvery));
    }
  }

  public MirrorOptions withStreams(List<StreamId> some) {
    return new MirrorOptions(some, cutOff, poll, forgetEvery, maxPiece);
  }

  public MirrorOptions withCutOff(CutOff what) {
    return new MirrorOptions(streams, what, poll, forgetEvery, maxPiece);
  }

  public MirrorOptions withForgetEvery(Duration time) {
    return new MirrorOptions(streams, cutOff, poll, time, maxPiece);
  }

  public MirrorOptions withMaxPiece(int addresses) {
    return new MirrorOptions(streams, cutOff, poll, forgetEvery, addresses);
  }
}
