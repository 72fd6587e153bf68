package corfu.store;

import java.util.List;

/**
 * Something that happened to the store.
 *
 * @param version of all that was written: its log address
 * @param written keys that got a value
 * @param removed keys that have none any more
 */
public record StoreChange(long version, List<String> written, List<String> removed) {
  public StoreChange {
    written = List.copyOf(written);
    removed = List.copyOf(removed);
  }
}
