package corfu.objects.internal.view;

/**
 * The part of an object's stream that a player plays.
 *
 * @param from the player begins at a checkpoint up to this log address; states from here on are
 *     kept
 * @param before entries from this log address on are not wanted
 * @param mostBeyond nor more than these from {@code from} on
 */
record PlaybackRange(long from, long before, int mostBeyond) {

  static final PlaybackRange ALL =
      new PlaybackRange(Long.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE);
}
