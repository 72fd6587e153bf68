package corfu.objects.internal.view;

import corfu.objects.CatalogueEntry;
import corfu.objects.CatalogueState;
import corfu.objects.ObjectException;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.TypeCatalogue;
import corfu.objects.record.CallId;
import corfu.objects.record.Catalogued;
import corfu.objects.record.RecordCodec;
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
 * The list of all objects: a stream of their names and types, for people and tools. Clients find
 * streams by ids, so nothing else depends on the catalogue.
 *
 * <p>This client enters an object after its first change of the object, unless the object is there
 * already. A client that only reads enters nothing, so a mistyped name does not stay for ever. No
 * transaction touches the catalogue. If entering fails, the change has happened all the same, and
 * another client will enter the object.
 *
 * <p>The catalogue has a view and checkpoints, as objects have, so that its history before a
 * checkpoint can be forgotten: nobody reads its past. Thread-safe.
 */
public final class Catalogue implements TypeCatalogue {

  private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

  private final ObjectClient client;
  private final DeadlineLock lock = // of two threads one enters an object
      new DeadlineLock("the catalogue is being written");
  private final View<CatalogueState> view;

  public Catalogue(ObjectClient client) {
    this.client = client;
    ObjectType<CatalogueState> type = CatalogueState.TYPE;
    this.view =
        new View<>(
                new ObjectContext<>(
                    client,
                    "the catalogue",
                    TypeCatalogue.id(),
                    type,
                    StandardSerializer.create().knowing(type.valueTypes())))
            .asPart();
  }

  public View<CatalogueState> view() {
    return view;
  }

  @Override
  public void enter(StreamId object, String name, String type) {
    if (!lock.tryLock(client.deadline())) {
      LOG.debug("there was no time to enter {} into the catalogue", name);
      return;
    }
    try {
      @Nullable Object[] question = {object, type};
      boolean isKnown =
          view.playedBefore().isPresent()
              && is(view.readStale(CatalogueState.IS_KNOWN, question).value);
      if (!isKnown && !is(view.read(CatalogueState.IS_KNOWN, question))) {
        CallId call = client.calls().next();
        var entry = new Catalogued(call, client.world().wallTimeMillis(), object, name, type);
        var unused = client.streams().open(TypeCatalogue.id()).append(RecordCodec.encode(entry));
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

  @Override
  public Set<String> knownTypesOf(StreamId object) {
    try {
      Set<String> known =
          view.playedBefore().isPresent()
              ? types(() -> view.readStale(CatalogueState.TYPES_OF, of(object)).value)
              : Set.of();
      return known.isEmpty() ? typesOf(object) : known;
    } catch (CorfuException notNow) {
      LOG.debug("the catalogue does not tell the types of {}", object, notNow);
      return Set.of();
    }
  }

  @Override
  public Set<String> typesOf(StreamId object) {
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

  @Override
  @SuppressWarnings("unchecked") // it is what the operation gives
  public List<CatalogueEntry> list() {
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
