package corfu.objects.internal.view;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ObjectException;
import corfu.objects.ResultUnknownException;
import corfu.objects.UndecodableEntryException;
import corfu.objects.UpdateRefusedException;
import corfu.objects.collection.CollectionOperations;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.Playable;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.runtime.CorfuException;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Whether an object is of the type that a view opens it as. The object's stream decides: its first
 * change, or a checkpoint of the type. A client finds out before it changes an object for the first
 * time, whether or not it has played the object. Thread-safe.
 */
public final class TypeCheck {

  /** Of a stream that begins with more entries that say nothing of a type, any type may be. */
  private static final int MOST_LOOKED_AT = 16;

  /** So often others change an object first between the look at it and the append. */
  private static final int FIRST_CHANGE_ATTEMPTS = 4;

  private final ObjectContext<?> object;
  private final Playable played;
  private final Supplier<Checkpoints<?>> checkpoints;
  private volatile boolean isKnown; // the object is of the view's type
  private volatile boolean isInCatalogue;
  private final Set<String> foreign = ConcurrentHashMap.newKeySet(); // operations of other types

  /** The finding about the type in the stream. */
  private sealed interface Finding {

    /** The object is of the view's type, or may be. */
    record Fits() implements Finding {}

    /** Nothing has happened to the object yet: its first change decides its type. */
    record Untouched(StreamEnds ends) implements Finding {}

    /** The object is not of the view's type. */
    record Misfit(ObjectException why) implements Finding {}
  }

  TypeCheck(ObjectContext<?> object, Playable played, Supplier<Checkpoints<?>> checkpoints) {
    this.object = object;
    this.played = played;
    this.checkpoints = checkpoints;
  }

  /** The view is of a part of another object: its type is known, and nobody looks for it. */
  public void isPart() {
    isKnown = true;
    isInCatalogue = true;
  }

  /** The view has played an entry. */
  void isPlayed() {
    isKnown = true;
  }

  // ----------------------------------------------------------------------------- before a change

  /**
   * To be called before the view changes the object.
   *
   * @return what must still be so when the change is appended: if nothing had happened to the
   *     object, that nothing has
   * @throws ObjectException if the object is not of the view's type
   */
  public Precondition beforeChange() {
    if (isKnown) {
      return Precondition.NONE;
    }
    return switch (look()) {
      case Finding.Fits fits -> {
        isKnown = true;
        yield Precondition.NONE;
      }
      case Finding.Untouched(StreamEnds ends) ->
          new Precondition(
              Optional.of(
                  new Condition(ends.tail().value(), List.of(StreamPart.whole(object.stream())))),
              new AsOf(ends.epoch(), ends.began().value()));
      case Finding.Misfit(ObjectException why) -> throw why;
    };
  }

  /**
   * Makes a change of the object that is of the view's type.
   *
   * @param precondition what the change relies on itself
   * @param change made unless what it is given has changed
   * @throws ObjectException if the object is of another type
   */
  <R> R change(Precondition precondition, Function<Precondition, R> change) {
    for (int attempt = 1; attempt <= FIRST_CHANGE_ATTEMPTS; attempt++) {
      Precondition untouched = beforeChange();
      if (precondition.condition().isPresent() || untouched.condition().isEmpty()) {
        return change.apply(precondition);
      }
      try {
        return change.apply(untouched);
      } catch (Precondition.ChangedException nowItIsOfAType) {
        // look at that
      }
    }
    return change.apply(precondition);
  }

  /** This client has appended a change of the object, or was told of a conflict. */
  void appended(StreamAppend outcome) {
    if (!isKnown && outcome instanceof StreamAppend.Appended appended) {
      isKnown = appended.places().stream().anyMatch(this::isFirst);
    }
  }

  private boolean isFirst(StreamAppend.Place place) {
    return place.stream().equals(object.stream())
        && place.streamAddress().equals(StreamAddress.ZERO);
  }

  /** After a change of the object by this client. */
  public void enterCatalogue() {
    if (!isInCatalogue) {
      isInCatalogue = true;
      object.client().catalogue().enter(object.stream(), object.name(), object.type().name());
    }
  }

  /** Why the object is not of the view's type; empty: it is, or may be. */
  public Optional<ObjectException> objection() {
    return look() instanceof Finding.Misfit(ObjectException why)
        ? Optional.of(why)
        : Optional.empty();
  }

  /**
   * Returns the exception for the caller of a change that is in the log, if the view could not be
   * played to learn the outcome of the change.
   */
  public ObjectException notToldOf(String operation, Address address, RuntimeException notRead) {
    if (notRead instanceof UndecodableEntryException) {
      try {
        Optional<ObjectException> objection = objection();
        if (objection.isPresent()) {
          return UpdateRefusedException.ofWrongType(
              object.name(), object.type().name(), operation, address, objection.get());
        }
      } catch (CorfuException notNow) {
        notRead.addSuppressed(notNow);
      }
    }
    return new ResultUnknownException(operation, object.name(), address, notRead);
  }

  private Finding look() {
    StreamEnds ends = object.client().streamEnds().ask(played);
    if (played.isUntouched(ends)) {
      return new Finding.Untouched(ends);
    }
    Optional<LogEntry.Data> newest = newest(ends);
    Optional<String> otherKind = newest.flatMap(data -> RecordCodec.otherKind(data.payload()));
    if (otherKind.isPresent()) {
      return new Finding.Misfit(objection(newest.orElseThrow().address(), otherKind.get()));
    }
    boolean isLikely = newest.filter(this::isOfOurType).isPresent();
    return isLikely && isOnlyOurs() ? new Finding.Fits() : first();
  }

  private Optional<LogEntry.Data> newest(StreamEnds ends) {
    long newest = ends.newest(object.stream());
    return newest >= 0
            && object.client().log().read(new Address(newest)) instanceof LogEntry.Data data
        ? Optional.of(data)
        : Optional.empty();
  }

  private boolean isOfOurType(LogEntry.Data data) {
    try {
      return RecordCodec.decode(object.stream(), data.payload()) instanceof Updates updates
          && calls(updates).stream().anyMatch(update -> isOfOurType(update));
    } catch (SerializationException other) {
      return false;
    }
  }

  private boolean isOfOurType(Update update) {
    return object.codec().placeOf(update).isPresent()
        && object.type().identifies(update.operation());
  }

  /** Those of this object; a roll-back makes it what it was, and says nothing of its type. */
  private List<Update> calls(Updates updates) {
    return updates.updates().stream()
        .filter(update -> update.object().equals(object.stream()) && !RestoringUpdate.is(update))
        .toList();
  }

  /** Whether the catalogue knows of no other type that the object was changed as. */
  private boolean isOnlyOurs() {
    return object
        .client()
        .catalogue()
        .knownTypesOf(object.stream())
        .equals(Set.of(object.type().name()));
  }

  // ------------------------------------------------------------------- how a stream begins

  private Finding first() {
    StreamId stream = object.stream();
    Iterator<StreamRead> scan =
        object
            .client()
            .streams()
            .open(stream)
            .scan(StreamAddress.ZERO, new StreamAddress(MOST_LOOKED_AT));
    Optional<Finding> found = Optional.empty();
    while (found.isEmpty() && scan.hasNext()) {
      found =
          switch (scan.next()) {
            case StreamRead.Entry entry -> find(entry);
            case StreamRead.Trimmed trimmed -> Optional.of(behind(trimmed.before()));
            case StreamRead.Absent nothing -> Optional.empty();
          };
    }
    return found.orElse(new Finding.Fits());
  }

  /** Returns the finding for a stream whose remaining entries begin in the middle. */
  private Finding behind(StreamAddress trimmed) {
    return isOurs()
        ? new Finding.Fits()
        : new Finding.Misfit(
            new HistoryTrimmedException(
                "the history of object %s before place %s of its stream has been forgotten, and no"
                        .formatted(object.name(), trimmed)
                    + " checkpoint of a %s is left: is it opened as another type than it was"
                        .formatted(object.type().stateName())
                    + " written as?"));
  }

  /** Whether there is a checkpoint of the type, or nobody has ever taken it for anything else. */
  private boolean isOurs() {
    return checkpoints.get().hasAny() || isOnlyOurs();
  }

  private Optional<Finding> find(StreamRead.Entry entry) {
    ObjectRecord record;
    try {
      record = RecordCodec.decode(object.stream(), entry.payload());
    } catch (SerializationException foreignEntry) {
      return Optional.of(misfit(entry, String.valueOf(foreignEntry.getMessage())));
    }
    return switch (record) {
      case Updates updates -> find(entry.address(), updates);
      case CheckpointMark mark -> Optional.empty();
      case CheckpointEnd end -> Optional.empty();
      case CheckpointPart part -> Optional.of(misfit(entry, RecordCodec.NOT_AN_OBJECTS));
      case Catalogued named -> Optional.of(misfit(entry, RecordCodec.NOT_AN_OBJECTS));
    };
  }

  private Finding misfit(StreamRead.Entry entry, String why) {
    return new Finding.Misfit(objection(entry.address(), why));
  }

  private UndecodableEntryException objection(Address address, String why) {
    return new UndecodableEntryException(
        address, "the entry at address %s of object %s: %s".formatted(address, object.name(), why));
  }

  /** Empty: these updates may be of any type. */
  private Optional<Finding> find(Address address, Updates updates) {
    for (Update update : calls(updates)) {
      if (isOfOurType(update)) {
        return Optional.of(new Finding.Fits());
      }
      if (object.codec().placeOf(update).isEmpty()) {
        return Optional.of(
            isOurs()
                ? new Finding.Fits()
                : new Finding.Misfit(object.codec().unknown(update, address)));
      }
    }
    return Optional.empty();
  }

  // --------------------------------------------------------------------- updates of another type

  /**
   * Whether an update, whose operation the type does not have, can be none of this type, in any
   * version: so that all views of the type refuse it. For a class, which may gain methods, it takes
   * a collection's operation on an object that was also changed as such a collection.
   */
  boolean isForeign(Update update) {
    String operation = update.operation();
    if (Operation.isReserved(operation)) {
      return false; // of a later version of Corfu
    }
    if (object.type().isForeign(operation) || foreign.contains(operation)) {
      return true;
    }
    String type = object.type().name();
    Set<String> owners = CollectionOperations.typesWith(operation);
    if (owners.isEmpty() || CollectionOperations.isOfFamily(type, operation)) {
      return false;
    }
    Set<String> types = object.client().catalogue().typesOf(object.stream());
    boolean isForeign = types.contains(type) && owners.stream().anyMatch(types::contains);
    if (isForeign) {
      foreign.add(operation);
    }
    return isForeign;
  }
}
