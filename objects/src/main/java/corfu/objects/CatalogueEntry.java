package corfu.objects;

import corfu.protocol.StreamId;
import java.util.Set;

/**
 * An object that a client has changed.
 *
 * @param id the object's stream
 * @param name the name under which the object was opened, or its id if it was opened by that
 * @param types the names of the types as which the object was changed, in the order of names
 */
public record CatalogueEntry(StreamId id, String name, Set<String> types) {}
