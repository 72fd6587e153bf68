package corfu.roles.logunit.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Addresses whose entries were found corrupt, by whoever read them, and that nobody has put right
 * yet. Bounded: what does not fit is found again by the next round of the scrubber.
 */
public final class CorruptEntries {

  private static final Logger LOG = LoggerFactory.getLogger(CorruptEntries.class);

  /** How many are remembered. */
  static final int MOST = 4096;

  /** By address, what is wrong. */
  private final Map<Long, String> waiting = new LinkedHashMap<>();

  private final AddressIndex index;
  private Runnable whenFound = () -> {};
  private long found;
  private long repaired;

  CorruptEntries(AddressIndex index) {
    this.index = index;
  }

  /** Runs it whenever there is something new. */
  public void whenFound(Runnable then) {
    whenFound = then;
  }

  /** The entry at this address can't be read. */
  public void found(long address, String detail) {
    if (waiting.size() < MOST && waiting.putIfAbsent(address, detail) == null) {
      found++;
      LOG.error("found a corrupt entry: {}", detail);
      whenFound.run();
    }
  }

  /** It has been written again. */
  public void repaired(long address) {
    if (waiting.remove(address) != null) {
      repaired++;
      LOG.info(
          "the entry at address {} has been written again, as another replica has it", address);
    }
  }

  /** It can be read after all. */
  public void isWell(long address) {
    waiting.remove(address);
  }

  /** Those that still wait, at most so many; what has been trimmed meanwhile does not. */
  public List<Long> addresses(int most) {
    waiting.keySet().removeIf(address -> index.find(address) < 0);
    return new ArrayList<>(waiting.keySet()).subList(0, Math.min(most, waiting.size()));
  }

  /** What is wrong with the first one that waits; empty if none does. */
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
