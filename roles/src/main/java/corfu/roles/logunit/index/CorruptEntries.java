package corfu.roles.logunit.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of entries that some reader found corrupt and that are not repaired yet. Bounded:
 * the next round of the scrubber finds the others again.
 */
public final class CorruptEntries {

  private static final Logger LOG = LoggerFactory.getLogger(CorruptEntries.class);

  /** The largest number of remembered addresses. */
  static final int MOST = 4096;

  /** The description of the damage by address. */
  private final Map<Long, String> waiting = new LinkedHashMap<>();

  private final AddressIndex index;
  private Runnable whenFound = () -> {};
  private long found;
  private long repaired;

  CorruptEntries(AddressIndex index) {
    this.index = index;
  }

  /** Sets the callback that runs after each new finding. */
  public void whenFound(Runnable then) {
    whenFound = then;
  }

  /** Records that the entry at this address is unreadable. */
  public void found(long address, String detail) {
    if (waiting.size() < MOST && waiting.putIfAbsent(address, detail) == null) {
      found++;
      LOG.error("found a corrupt entry: {}", detail);
      whenFound.run();
    }
  }

  /** Records that the entry was written again. */
  public void repaired(long address) {
    if (waiting.remove(address) != null) {
      repaired++;
      LOG.info(
          "the entry at address {} has been written again, as another replica has it", address);
    }
  }

  /** Records that the entry is readable after all. */
  public void isWell(long address) {
    waiting.remove(address);
  }

  /** Returns waiting addresses, at most this many, without those that were trimmed meanwhile. */
  public List<Long> addresses(int most) {
    waiting.keySet().removeIf(address -> index.find(address) < 0);
    return new ArrayList<>(waiting.keySet()).subList(0, Math.min(most, waiting.size()));
  }

  /** Returns the damage of the first waiting entry, or an empty text if none waits. */
  public String first() {
    return addresses(1).stream()
        .map(address -> waiting.getOrDefault(address, ""))
        .findFirst()
        .orElse("");
  }

  public int count() {
    return waiting.size();
  }

  public long found() {
    return found;
  }

  public long repairs() {
    return repaired;
  }
}
