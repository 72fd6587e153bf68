package corfu.roles.logunit.store;

import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.Segments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Addresses that become trimmed together, in memory; and how they become what they were, if there
 * was no space to keep that.
 */
final class Trimming {

  private final AddressIndex index;
  private final Segments segments;
  private final Map<TrimmedSet.Block, List<Long>> changed = new LinkedHashMap<>();
  private final Set<Segment> hurt = new LinkedHashSet<>();
  private final List<Dead> dead = new ArrayList<>();
  private long unknownBefore;

  /** A record that was trimmed. */
  private record Dead(long address, long location, long bytes) {}

  Trimming(AddressIndex index, Segments segments) {
    this.index = index;
    this.segments = segments;
  }

  void trim(long address) {
    long found = index.find(address);
    if (found == AddressIndex.TRIMMED) {
      return;
    }
    if (found >= 0) {
      Segment segment = segments.at(found);
      dead.add(new Dead(address, found, segment.died()));
      hurt.add(segment);
      index.records.remove(address);
    } else {
      unknownBefore = Math.max(unknownBefore, address + 1);
    }
    changed.computeIfAbsent(index.trimmed.add(address), block -> new ArrayList<>()).add(address);
  }

  /** The blocks that need a new record. */
  Set<TrimmedSet.Block> changed() {
    return changed.keySet();
  }

  /** Whose records were trimmed. */
  Set<Segment> hurt() {
    return hurt;
  }

  /** How many records were trimmed. */
  int deadCount() {
    return dead.size();
  }

  /** Behind the highest address of which nobody here knows what it held; 0 if there is none. */
  long unknownBefore() {
    return unknownBefore;
  }

  /** What the mark has passed meanwhile stays trimmed. */
  void takeBack() {
    changed.forEach(index.trimmed::takeBack);
    for (Dead record : dead) {
      if (record.address >= index.settledMark) {
        index.records.put(record.address, record.location);
        segments.at(record.location).revived(record.bytes);
      }
    }
  }
}
