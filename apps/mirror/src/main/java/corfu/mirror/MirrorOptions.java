package corfu.mirror;

import corfu.protocol.StreamId;
import java.time.Duration;
import java.util.List;

/**
 * What is mirrored, and how; the {@code with} methods change one thing each.
 *
 * @param streams which streams; empty: everything
 * @param cutOff what to do where the source has given up what was not copied yet
 * @param poll how long to wait for more where everything is copied
 * @param forgetEvery how often to look what the source has given up, to give it up here, too
 * @param maxPiece how many addresses are copied at a time; fewer, where entries are large
 */
public record MirrorOptions(
    List<StreamId> streams, CutOff cutOff, Duration poll, Duration forgetEvery, int maxPiece) {

  /** What to do where the source has given up what was not copied yet. */
  public enum CutOff {
    /** Stop: the mirror stays what it is, and can be promoted as that. */
    REFUSE,
    /**
     * Go on without. The mirror cannot be promoted, but by force, until it has copied what the
     * source holds now.
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
