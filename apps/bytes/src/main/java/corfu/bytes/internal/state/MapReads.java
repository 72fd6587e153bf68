package corfu.bytes.internal.state;

import corfu.bytes.BytesOrigin;
import corfu.bytes.internal.extent.PageLostException;
import corfu.protocol.StreamId;
import corfu.runtime.UnavailableException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls that use maps of extents. Other clients may trim pages of a map before they are loaded;
 * then the map is found anew. Thread-safe.
 */
public final class MapReads {

  /** The number of times that a map is found anew, because others trim its pages meanwhile. */
  private static final int MOST_ATTEMPTS = 8;

  private final VersionResolver resolver;

  public MapReads(VersionResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Makes a call that uses maps. If pages of a map were trimmed before they were loaded, the memory
   * of all maps has been given up, and the call is made once more.
   *
   * @param call finds the map itself, each time
   */
  public <T> T withMaps(StreamId array, Supplier<T> call) {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.get();
      } catch (PageLostException lost) {
        if (attempt == MOST_ATTEMPTS) {
          throw new UnavailableException(
              "pages of the map of the byte array of stream %s were trimmed %d times while they"
                      .formatted(array, attempt)
                  + " were read; repeat the call",
              lost);
        }
      }
    }
  }

  /**
   * Makes a call that uses a state's map. If its pages were trimmed before they were loaded, the
   * same version is found anew.
   *
   * @param whenFound receives the same version with another map then
   */
  public <T> T onState(
      BytesState state,
      Optional<BytesOrigin> origin,
      Function<BytesState, T> call,
      Consumer<BytesState> whenFound) {
    boolean[] isLost = {false};
    return withMaps(
        state.stream(),
        () -> {
          BytesState whole = isLost[0] ? again(state, origin) : state;
          if (isLost[0]) {
            whenFound.accept(whole);
          }
          isLost[0] = true; // if the call does not return
          return call.apply(whole);
        });
  }

  /** Finds a version again whose map has lost pages. */
  public BytesState again(BytesState lost, Optional<BytesOrigin> origin) {
    return lost.withMapOf(resolver.version(new Version(lost.stream(), origin, lost.before())));
  }
}
