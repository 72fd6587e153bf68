package corfu.bytes.internal.state;

import java.util.Optional;

/**
 * The result of a search for a checkpoint of an array that is not behind a version.
 *
 * @param state the state of the last one, if there is one
 * @param isExact whether it is the version's state for certain, whatever entries follow
 * @param isForgotten whether entries of the version may be gone: a newer state was kept instead
 */
public record CheckpointSearch(Optional<BytesState> state, boolean isExact, boolean isForgotten) {}
