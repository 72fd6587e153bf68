package corfu.roles.sequencer;

/**
 * How much a sequencer remembers. All of it lies outside the heap, and takes memory only as it
 * comes.
 *
 * @param mostStreams how many streams one epoch may write to or ask about, from 1 to {@link
 *     #MOST_STREAMS}; a stream takes some 56 bytes. Requests for more are refused.
 * @param mostKeys of how many keys it remembers when they were changed last, from 1 to {@link
 *     #MOST_KEYS}; a key takes some 36 bytes. Where older changes are forgotten, a condition on
 *     keys counts as one on their streams if its snapshot is older than that, too.
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
