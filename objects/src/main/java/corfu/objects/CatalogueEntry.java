package corfu.objects;

import corfu.protocol.StreamId;
import java.util.Set;

/**
 * An object that somebody has changed.
 *
 * @param id its stream
 * @param name what it was opened as; where it was opened by its id, that
 * @param types what the types that it was changed as call themselves, in the order of their names
 */
public record CatalogueEntry(StreamId id, String name, Set<String> types) {}
