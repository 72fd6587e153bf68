package corfu.roles.sequencer;

/**
 * The size of a sequencer's memory. All of it is outside the heap, and is allocated only when
 * needed.
 *
 * @param mostStreams the largest number of streams that one epoch may write to or ask about, from 1
 *     to {@link #MOST_STREAMS}; a stream needs some 56 bytes. Requests for more are refused.
 * @param mostKeys the largest number of keys whose last change it remembers, from 1 to {@link
 *     #MOST_KEYS}; a key needs some 36 bytes. If older changes are forgotten, a condition on keys
 *     with an older snapshot counts as one on their whole streams.
 */
public record SequencerOptions(int mostStreams, int mostKeys) {

  /** The largest {@link #mostStreams}: about 15 GB. */
  public static final int MOST_STREAMS = 1 << 28;

  /** The largest {@link #mostKeys}: about 10 GB. */
  public static final int MOST_KEYS = 1 << 28;

  /** 16 Mi streams, 1 Mi keys: up to about 1 GB. */
  public static final SequencerOptions DEFAULT = new SequencerOptions(16 << 20, 1 << 20);

  public SequencerOptions {
    if (mostStreams < 1 || mostStreams > MOST_STREAMS || mostKeys < 1 || mostKeys > MOST_KEYS) {
      throw new IllegalArgumentException(
          "a sequencer keeps from 1 to 2^28 streams and as many keys, but not "
              + (mostStreams + " and " + mostKeys));
    }
  }
}
