package corfu.silver.mount;

import corfu.silver.DirectoryListing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The open directories of a mount. Thread-safe. */
final class OpenDirectories {

  private final Map<Long, DirectoryListing> listings = new HashMap<>();
  private long last;

  /** Opens a directory, and returns its handle. */
  synchronized long open() {
    return ++last;
  }

  /** Keeps the names from the first read on, so that one pass shows one moment. */
  synchronized void keep(long handle, DirectoryListing listing) {
    listings.put(handle, listing);
  }

  synchronized Optional<DirectoryListing> listing(long handle) {
    return Optional.ofNullable(listings.get(handle));
  }

  synchronized void close(long handle) {
    listings.remove(handle);
  }
}
