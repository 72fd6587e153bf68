package corfu.objects.history;

import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueText;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * An object's history, read as it is taken. It ends where the object's stream ended when it was
 * made. For one thread.
 */
public final class ObjectHistory implements Iterator<HistoryEntry> {

  private static final int STANDARD = 0;

  private final StreamId object;
  private final Iterator<StreamRead> entries;
  private Optional<HistoryEntry> next = Optional.empty();

  /**
   * @param stream the object's
   */
  public ObjectHistory(LogStream stream) {
    this.object = stream.id();
    this.entries = stream.scan(StreamAddress.ZERO, new StreamAddress(Long.MAX_VALUE));
  }

  @Override
  public boolean hasNext() {
    while (next.isEmpty() && entries.hasNext()) {
      next =
          switch (entries.next()) {
            case StreamRead.Entry entry -> read(entry);
            case StreamRead.Trimmed trimmed ->
                Optional.of(new HistoryEntry.Forgotten(trimmed.before()));
            case StreamRead.Absent nothing -> Optional.empty();
          };
    }
    return next.isPresent();
  }

  @Override
  public HistoryEntry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the history ends here");
    }
    HistoryEntry entry = next.orElseThrow();
    next = Optional.empty();
    return entry;
  }

  /** Empty: it changes nothing, but tells of a checkpoint. */
  private Optional<HistoryEntry> read(StreamRead.Entry entry) {
    try {
      return switch (RecordCodec.decode(object, entry.payload())) {
        case Updates updates -> Optional.of(changed(entry, updates));
        case CheckpointMark mark -> Optional.empty();
        case CheckpointEnd end -> Optional.empty();
        case CheckpointPart part -> Optional.of(unreadable(entry, "it is of a checkpoint"));
        case Catalogued named -> Optional.of(unreadable(entry, "it is of the catalogue"));
      };
    } catch (SerializationException foreign) {
      return Optional.of(unreadable(entry, String.valueOf(foreign.getMessage())));
    }
  }

  private static HistoryEntry unreadable(StreamRead.Entry entry, String problem) {
    return new HistoryEntry.Unreadable(entry.address(), problem);
  }

  private HistoryEntry changed(StreamRead.Entry entry, Updates updates) {
    List<HistoryEntry.Call> calls = new ArrayList<>();
    for (Update update : updates.updates()) {
      if (update.object().equals(object)) {
        calls.add(new HistoryEntry.Call(update.operation(), argumentsOf(update)));
      }
    }
    long objects = updates.updates().stream().map(Update::object).distinct().count();
    return new HistoryEntry.Changed(
        entry.address(),
        Instant.ofEpochMilli(updates.wallTimeMillis()),
        updates.call().client(),
        calls,
        (int) objects - (calls.isEmpty() ? 0 : 1));
  }

  private static List<String> argumentsOf(Update update) {
    if (update.serializer() != STANDARD) {
      return List.of(
          "%d bytes that serializer %d wrote"
              .formatted(update.arguments().remaining(), update.serializer()));
    }
    try {
      return ValueText.of(update.arguments());
    } catch (SerializationException damaged) {
      return List.of("unreadable: " + damaged.getMessage());
    }
  }
}
