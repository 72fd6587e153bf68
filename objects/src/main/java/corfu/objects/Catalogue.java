package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.Catalogued;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.serial.SerializationException;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which objects there are: a stream of their names and types, for people and tools. Streams are
 * found by ids, so nothing else depends on it.
 *
 * <p>An object is entered after its first change by this client, unless it is there already. Who
 * only reads enters nothing; so a name that was mistyped does not stay for ever. No transaction
 * touches it. Where entering fails, the change has happened all the same, and another client will
 * enter the object. Thread-safe.
 */
final class Catalogue {

  private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

  /** How many objects a client remembers; what comes behind is listed, but entered again. */
  private static final int MOST_KNOWN = 1 << 20;

  private final World world;
  private final LogStream stream;
  private final Calls calls;

  private final ReentrantLock lock = new ReentrantLock();
  private final StreamReader reader;
  private final Map<StreamId, CatalogueEntry> known = new LinkedHashMap<>();

  Catalogue(World world, LogStream stream, Calls calls) {
    this.world = world;
    this.stream = stream;
    this.calls = calls;
    this.reader = stream.reader();
  }

  /** The stream that it is in. */
  static StreamId id() {
    return StreamId.named("corfu.objects/catalogue");
  }

  /** Enters an object that has been changed. */
  void enter(StreamId object, String name, String type) {
    lock.lock();
    try {
      if (!isKnown(object, type)) {
        read();
        if (!isKnown(object, type)) {
          CallId call = calls.next();
          var entry = new Catalogued(call, world.wallTimeMillis(), object, name, type);
          var unused = stream.append(RecordCodec.encode(entry));
          learn(entry);
        }
      }
    } catch (CorfuException failure) {
      LOG.debug("{} could not be entered into the catalogue", name, failure);
    } finally {
      lock.unlock();
    }
  }

  private boolean isKnown(StreamId object, String type) {
    CatalogueEntry entry = known.get(object);
    return entry != null && entry.types().contains(type);
  }

  /** All that have been entered by now, by their names. */
  List<CatalogueEntry> list() {
    lock.lock();
    try {
      read();
      List<CatalogueEntry> all = new ArrayList<>(known.values());
      all.sort(Comparator.comparing(CatalogueEntry::name).thenComparing(CatalogueEntry::id));
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void read() {
    var unused = reader.sync();
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Entry entry -> learn(entry);
        case StreamRead.Trimmed trimmed -> {}
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }

  private void learn(StreamRead.Entry entry) {
    try {
      ObjectRecord record = RecordCodec.decode(stream.id(), entry.payload());
      if (record instanceof Catalogued named) {
        learn(named);
      }
    } catch (SerializationException foreign) {
      LOG.debug("the catalogue's entry at {} says nothing of objects", entry.address(), foreign);
    }
  }

  private void learn(Catalogued entry) {
    CatalogueEntry before = known.get(entry.object());
    if (before == null && known.size() >= MOST_KNOWN) {
      return;
    }
    TreeSet<String> types = new TreeSet<>(before == null ? List.of() : before.types());
    types.add(entry.type());
    String name = before == null ? entry.name() : before.name();
    known.put(entry.object(), new CatalogueEntry(entry.object(), name, types));
  }
}
