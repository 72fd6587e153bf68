package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.Catalogued;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.type.ObjectType;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.runtime.DeadlineLock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which objects there are: a stream of their names and types, for people and tools. Streams are
 * found by ids, so nothing else depends on it.
 *
 * <p>An object is entered after its first change by this client, unless it is there already. Who
 * only reads enters nothing; so a name that was mistyped does not stay for ever. No transaction
 * touches it. Where entering fails, the change has happened all the same, and another client will
 * enter the object.
 *
 * <p>It has a view, and checkpoints, as objects have, so that what is before them can be forgotten:
 * nobody reads its past. Thread-safe.
 */
final class Catalogue {

  private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

  /** As many entries are soon played. */
  private static final int CHECKPOINT_EVERY = 1_000;

  private final ObjectClient client;
  private final DeadlineLock lock = // of two threads one enters an object
      new DeadlineLock("the catalogue is being written");
  private final View<CatalogueState> view;

  Catalogue(ObjectClient client) {
    this.client = client;
    ObjectType<CatalogueState> type = CatalogueState.TYPE;
    this.view =
        new View<>(
                client,
                "the catalogue",
                id(),
                type,
                StandardSerializer.create().knowing(type.valueTypes()))
            .asPart();
  }

  /** The stream that it is in. */
  static StreamId id() {
    return StreamId.named("corfu.objects/catalogue");
  }

  static boolean isThatOf(View<?> view) {
    return view.type() == CatalogueState.TYPE;
  }

  /**
   * When checkpoints of it are written, by clients that write any.
   *
   * @param objects when those of objects are
   */
  static CheckpointPolicy policy(CheckpointPolicy objects) {
    return objects.isAutomatic()
        ? CheckpointPolicy.DEFAULT
            .withEveryUpdates(CHECKPOINT_EVERY)
            .withHistory(History.ofAddresses(0))
        : CheckpointPolicy.MANUAL;
  }

  /** What an entry of it does. */
  static Updates updates(View<?> view, Catalogued entry) {
    @Nullable Object[] arguments = {entry.object(), entry.name(), entry.type()};
    return new Updates(
        entry.call(),
        entry.wallTimeMillis(),
        List.of(view.update(CatalogueState.ENTER, arguments)));
  }

  View<CatalogueState> view() {
    return view;
  }

  /** Enters an object that has been changed. */
  void enter(StreamId object, String name, String type) {
    if (!lock.tryLock(client.deadline())) {
      LOG.debug("there was no time to enter {} into the catalogue", name);
      return;
    }
    try {
      @Nullable Object[] question = {object, type};
      boolean isKnown =
          view.playedBefore().isPresent()
              && is(view.readKnown(CatalogueState.IS_KNOWN, question).value);
      if (!isKnown && !is(view.read(CatalogueState.IS_KNOWN, question))) {
        CallId call = client.calls().next();
        var entry = new Catalogued(call, client.world().wallTimeMillis(), object, name, type);
        var unused = client.streams().open(id()).append(RecordCodec.encode(entry));
      }
    } catch (CorfuException | ObjectException | SerializationException failure) {
      LOG.debug("{} could not be entered into the catalogue", name, failure);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("the catalogue throws no such exception", checked);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The types that an object was changed as, as far as this client knows; it asks if it knows of
   * none. Empty: the object has not been entered, or the catalogue can't be read.
   */
  Set<String> knownTypesOf(StreamId object) {
    try {
      Set<String> known =
          view.playedBefore().isPresent()
              ? types(() -> view.readKnown(CatalogueState.TYPES_OF, of(object)).value)
              : Set.of();
      return known.isEmpty() ? typesOf(object) : known;
    } catch (CorfuException notNow) {
      LOG.debug("the catalogue does not tell the types of {}", object, notNow);
      return Set.of();
    }
  }

  /** The same as of now. */
  Set<String> typesOf(StreamId object) {
    return types(() -> view.read(CatalogueState.TYPES_OF, of(object)));
  }

  private static @Nullable Object[] of(StreamId object) {
    return new @Nullable Object[] {object};
  }

  @FunctionalInterface
  private interface Question {
    @Nullable Object ask() throws Throwable;
  }

  @SuppressWarnings("unchecked") // it is what the operation gives
  private static Set<String> types(Question question) {
    try {
      return Set.copyOf((List<String>) Objects.requireNonNull(question.ask()));
    } catch (ObjectException | SerializationException unreadable) {
      LOG.debug("the catalogue can't be read", unreadable);
      return Set.of();
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("the catalogue throws no such exception", checked);
    }
  }

  private static boolean is(@Nullable Object answer) {
    return (Boolean) Objects.requireNonNull(answer);
  }

  /** All that have been entered by now, by their names. */
  @SuppressWarnings("unchecked") // it is what the operation gives
  List<CatalogueEntry> list() {
    try {
      return (List<CatalogueEntry>)
          Objects.requireNonNull(view.read(CatalogueState.LIST, new @Nullable Object[0]));
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable checked) {
      throw new IllegalStateException("the catalogue throws no such exception", checked);
    }
  }
}
