package corfu.objects.internal.view;

import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.SerializationException;
import corfu.runtime.stream.StreamRead;
import java.util.Optional;

/** Decodes the entries of an object's stream. */
final class EntryDecoder {

  private final ObjectContext<?> object;

  EntryDecoder(ObjectContext<?> object) {
    this.object = object;
  }

  /**
   * Returns an entry's record, or nothing if it says nothing here, and nothing depends on it.
   *
   * @param isOfType whether the stream has shown that it is of the object's type
   * @throws UndecodableEntryException if it can't be decoded, and players may not skip it
   */
  Optional<ObjectRecord> decode(StreamRead.Entry entry, boolean isOfType) {
    try {
      return Optional.of(RecordCodec.decode(object.stream(), entry.payload()));
    } catch (SerializationException e) {
      if (object.isCatalogue() || isPassedOver(entry, isOfType)) {
        return Optional.empty();
      }
      throw UndecodableEntryException.of(object.name(), entry.address(), e);
    }
  }

  /** No object, nor a later version of one, has written it; and the stream is an object's. */
  private static boolean isPassedOver(StreamRead.Entry entry, boolean isOfType) {
    return isOfType && RecordCodec.isForeign(entry.payload());
  }

  /** Returns the failure of an entry that is no entry of an object's stream. */
  UndecodableEntryException notAnObjects(StreamRead.Entry entry) {
    return UndecodableEntryException.of(
        object.name(), entry.address(), new SerializationException(RecordCodec.NOT_AN_OBJECTS));
  }
}
