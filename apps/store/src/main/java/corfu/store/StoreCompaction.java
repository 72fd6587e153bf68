package corfu.store;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.smr.StateMachineReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Moves what is alive behind a bound, and forgets everything before it. Steps, each of which leaves
 * a store that is whole:
 *
 * <ol>
 *   <li>A checkpoint gives the bound. A mark in the log before it makes sure that all values of the
 *       values' stream up to its end now lie below the bound.
 *   <li>From a floor on, no change may refer to values below the bound: those that are alive now
 *       are all that there ever will be.
 *   <li>They are written again. Each stays what it was unless its key has been changed meanwhile.
 *   <li>A second checkpoint has the new places; then nobody needs what is below the bound, but
 *       those who lag. They are given a while: who goes on with a checkpoint loses the answers of
 *       its own changes.
 * </ol>
 */
final class StoreCompaction {

  /** A replica that follows is behind by some 20 ms; a busy machine may make more of it. */
  private static final Duration LAG = Duration.ofSeconds(1);

  private final StreamAccess access;
  private final Supplier<StoreSnapshot> snapshots;
  private final StateMachineReplica<StoreMachine> replica;
  private final Values values;
  private final LogStream valueStream;
  private final StoreOptions options;

  StoreCompaction(
      StreamAccess access,
      Supplier<StoreSnapshot> snapshots,
      StateMachineReplica<StoreMachine> replica,
      Values values,
      LogStream valueStream,
      StoreOptions options) {
    this.access = access;
    this.snapshots = snapshots;
    this.replica = replica;
    this.values = values;
    this.valueStream = valueStream;
    this.options = options;
  }

  Address run() {
    StreamAddress oldValues = valueStream.tail();
    submit(new IndexCommand.Write(OptionalLong.empty(), List.of(), List.of())); // the mark
    Address bound = replica.checkpoint();
    submit(new IndexCommand.Floor(bound));
    StoreSnapshot now = snapshots.get();
    moveAll(now, bound);
    Address kept = replica.checkpoint();
    access.world().pause(LAG);
    access.deadline().renew();
    replica.forget(bound);
    valueStream.trim(oldValues);
    return kept;
  }

  private void moveAll(StoreSnapshot now, Address bound) {
    Map<String, Slot> together = new LinkedHashMap<>();
    long bytes = 0;
    int most = Math.max(options.inlineBytes(), 64 << 10);
    for (Map.Entry<String, Slot> entry : now.index()) {
      Slot slot = entry.getValue();
      if (slot.address().compareTo(bound) >= 0) {
        continue;
      }
      if (!together.isEmpty()
          && (bytes + slot.length() > most || together.size() == options.maxKeys())) {
        move(together);
        together.clear();
        bytes = 0;
      }
      together.put(entry.getKey(), slot);
      bytes += slot.length();
    }
    if (!together.isEmpty()) {
      move(together);
    }
  }

  private void move(Map<String, Slot> slots) {
    Optional<Map<String, Versioned>> found = values.read(slots);
    if (found.isEmpty()) {
      return; // another compaction was faster: it has moved them
    }
    List<IndexCommand.Moved> moved = new ArrayList<>();
    found
        .get()
        .forEach(
            (key, value) ->
                moved.add(new IndexCommand.Moved(key, value.version(), 0, value.value())));
    submit(new IndexCommand.Move(moved));
    access.deadline().renew();
  }

  private void submit(IndexCommand command) {
    var unused = replica.submit(KeyValueStore.bytes(command));
  }
}
