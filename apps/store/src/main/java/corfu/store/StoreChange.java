package corfu.store;

import java.util.List;

/**
 * A change of the store.
 *
 * @param version the version of the change: its log address
 * @param written the keys that the change gave a value
 * @param removed the keys whose value the change removed
 */
public record StoreChange(long version, List<String> written, List<String> removed) {
  public StoreChange {
    written = List.copyOf(written);
    removed = List.copyOf(removed);
  }
}
