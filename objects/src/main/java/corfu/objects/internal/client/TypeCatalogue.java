package corfu.objects.internal.client;

import corfu.objects.CatalogueEntry;
import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Set;

/** Names and types of the objects that anybody has changed. Thread-safe. */
public interface TypeCatalogue {

  /** So many entries are soon played. */
  int CHECKPOINT_EVERY = 1_000;

  /** Enters an object that has been changed. */
  void enter(StreamId object, String name, String type);

  /**
   * Returns the types that an object was changed as, as far as this client knows. Asks if it knows
   * of none. Returns none if nobody has entered the object, or if the catalogue can't be read.
   */
  Set<String> knownTypesOf(StreamId object);

  /** Returns the types that an object was changed as by now. */
  Set<String> typesOf(StreamId object);

  /** Returns all objects that have been entered by now, by their names. */
  List<CatalogueEntry> list();

  /** Returns the stream that the catalogue is in. */
  static StreamId id() {
    return StreamId.named("corfu.objects/catalogue");
  }

  /**
   * Returns when checkpoints of the catalogue are written, by clients that write any.
   *
   * @param objects the policy for checkpoints of objects
   */
  static CheckpointPolicy checkpoints(CheckpointPolicy objects) {
    return objects.isAutomatic()
        ? CheckpointPolicy.DEFAULT
            .withEveryUpdates(CHECKPOINT_EVERY)
            .withHistory(History.ofAddresses(0))
        : CheckpointPolicy.MANUAL;
  }
}
