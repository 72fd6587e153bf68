package corfu.ycsb;

import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.runtime.UnavailableException;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.store.Changes;
import corfu.store.KeyValueStore;
import corfu.store.StoreLimitException;
import corfu.store.StoreSnapshot;
import corfu.store.Versioned;
import corfu.store.WriteOutcome;
import corfu.transport.tls.TlsException;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The key-value store as a YCSB database: {@code -db corfu.ycsb.CorfuClient -p
 * corfu.servers=HOST:PORT,...}.
 *
 * <p>A record is the value of the key {@code table/key}. All operations are linearizable. An update
 * of some fields starts from the client's copy of the record, on condition that the record is
 * unchanged. So it costs one append, and loses no update of another client. One instance is for one
 * thread, as in YCSB.
 *
 * <table>
 * <caption>Properties</caption>
 * <tr><td>{@code corfu.servers}</td><td>some or all of the cluster's servers</td></tr>
 * <tr><td>{@code corfu.store}</td><td>the store's name (default: {@code ycsb})</td></tr>
 * </table>
 *
 * <p>With the property {@code corfu.tls.ca}, connections use TLS; see {@link #TLS_AUTHORITIES}.
 */
public final class CorfuClient extends DB {

  /** The property with the cluster's servers: {@code host:port}, with commas between them. */
  public static final String SERVERS = "corfu.servers";

  /** The property with the store's name. */
  public static final String STORE = "corfu.store";

  /** The property with the file of the trusted authorities; with it, connections use TLS. */
  public static final String TLS_AUTHORITIES = "corfu.tls.ca";

  /** The property with the file of the client's certificate. */
  public static final String TLS_CERTIFICATE = "corfu.tls.cert";

  /** The property with the file of the certificate's private key; by default the same file. */
  public static final String TLS_KEY = "corfu.tls.key";

  /** The property with the trust domain that the servers' SPIFFE ids must have. */
  public static final String TLS_TRUST_DOMAIN = "corfu.tls.trust-domain";

  private static final Logger LOG = LoggerFactory.getLogger(CorfuClient.class);
  private static final String USUAL_STORE = "ycsb";
  private static final String BETWEEN = "/";

  /** The number of attempts of an update, each of which lost against another client's change. */
  private static final int TRIES = 64;

  private @Nullable SharedStore shared;

  /** Creates a client for YCSB, which calls {@link #init} next. */
  public CorfuClient() {}

  @Override
  public void init() throws DBException {
    String servers = getProperties().getProperty(SERVERS);
    if (servers == null) {
      throw new DBException("say where the servers are: -p %s=host:port,...".formatted(SERVERS));
    }
    String store = getProperties().getProperty(STORE, USUAL_STORE);
    try {
      shared = SharedStore.open(new SharedStore.Name(servers, store, tls()));
    } catch (IllegalArgumentException | CorfuException | TlsException e) {
      throw new DBException("store %s of %s: %s".formatted(store, servers, e.getMessage()), e);
    }
  }

  private TlsOptions tls() {
    Optional<Path> authorities = file(TLS_AUTHORITIES);
    Optional<Path> certificate = file(TLS_CERTIFICATE);
    if (authorities.isEmpty()) {
      if (certificate.isPresent()) {
        throw new IllegalArgumentException(
            "%s needs the trusted authorities: -p %s=FILE"
                .formatted(TLS_CERTIFICATE, TLS_AUTHORITIES));
      }
      return TlsOptions.OFF;
    }
    TlsOptions files =
        certificate
            .map(own -> TlsOptions.mutual(own, file(TLS_KEY).orElse(own), authorities.get()))
            .orElseGet(() -> TlsOptions.withoutCertificate(authorities.get()));
    return Optional.ofNullable(getProperties().getProperty(TLS_TRUST_DOMAIN))
        .map(files::withTrustDomain)
        .orElse(files);
  }

  private Optional<Path> file(String property) {
    return Optional.ofNullable(getProperties().getProperty(property)).map(Path::of);
  }

  @Override
  public void cleanup() {
    SharedStore left = shared;
    shared = null;
    if (left != null) {
      left.leave();
    }
  }

  private KeyValueStore store() {
    SharedStore open = shared;
    if (open == null) {
      throw new IllegalStateException("init was not called, or cleanup was");
    }
    return open.store();
  }

  // -------------------------------------------------------------------------------- operations

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return outcome(
        "read",
        table,
        key,
        () -> {
          Optional<Versioned> found = store().get(name(table, key));
          found.ifPresent(value -> give(value, fields, result));
          return found.isPresent() ? Status.OK : Status.NOT_FOUND;
        });
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return outcome(
        "scan",
        table,
        startKey,
        () -> {
          StoreSnapshot snapshot = store().snapshot(); // all pieces are of one moment
          String from = name(table, startKey);
          while (result.size() < count) {
            Map<String, Versioned> piece = snapshot.scan(from, count - result.size());
            if (piece.isEmpty()) {
              return Status.OK;
            }
            for (Map.Entry<String, Versioned> record : piece.entrySet()) {
              if (!record.getKey().startsWith(table + BETWEEN)) {
                return Status.OK;
              }
              HashMap<String, ByteIterator> values = new HashMap<>();
              give(record.getValue(), fields, values);
              result.add(values);
              from = record.getKey() + "\0";
            }
          }
          return Status.OK;
        });
  }

  /** Creates a record, or replaces it. */
  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return outcome(
        "insert",
        table,
        key,
        () -> {
          store().put(name(table, key), RecordFields.encode(bytes(values)));
          return Status.OK;
        });
  }

  /** Changes some fields of a record. */
  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return outcome(
        "update",
        table,
        key,
        () -> {
          Map<String, byte[]> fresh = bytes(values);
          return change(
              name(table, key),
              known -> {
                Map<String, byte[]> fields =
                    new LinkedHashMap<>(RecordFields.decode(known.value()));
                fields.putAll(fresh);
                return new Changes().put(name(table, key), RecordFields.encode(fields));
              });
        });
  }

  @Override
  public Status delete(String table, String key) {
    return outcome(
        "delete",
        table,
        key,
        () -> change(name(table, key), known -> new Changes().remove(name(table, key))));
  }

  // ------------------------------------------------------------------------------------ helpers

  /**
   * Changes an existing record. It starts from the client's copy; if the copy is stale, the store
   * refuses the change.
   */
  private Status change(String name, Function<Versioned, Changes> change) {
    Optional<Versioned> known = store().played().get(name);
    for (int i = 0; i < TRIES; i++) {
      if (known.isEmpty() || i > 0) {
        known = store().get(name);
      }
      if (known.isEmpty()) {
        return Status.NOT_FOUND;
      }
      Changes wanted = change.apply(known.get()).expect(name, known.get().version());
      if (store().write(wanted) instanceof WriteOutcome.Written) {
        return Status.OK;
      }
    }
    LOG.warn("{} was changed by others {} times while this client wanted to", name, TRIES);
    return Status.UNEXPECTED_STATE;
  }

  private static String name(String table, String key) {
    if (table.contains(BETWEEN)) {
      throw new IllegalArgumentException(
          "a table's name has no \"%s\" in it, but this has: %s".formatted(BETWEEN, table));
    }
    return table + BETWEEN + key;
  }

  private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
    Map<String, byte[]> bytes = new LinkedHashMap<>();
    values.forEach((field, value) -> bytes.put(field, value.toArray()));
    return bytes;
  }

  private static void give(
      Versioned value, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    RecordFields.decode(value.value())
        .forEach(
            (field, bytes) -> {
              if (fields == null || fields.contains(field)) {
                result.put(field, new ByteArrayByteIterator(bytes));
              }
            });
  }

  private static Status outcome(String what, String table, String key, Supplier<Status> call) {
    try {
      return call.get();
    } catch (StoreLimitException | IllegalArgumentException wrong) {
      return told(Status.BAD_REQUEST, what, table, key, wrong);
    } catch (UnavailableException away) {
      return told(Status.SERVICE_UNAVAILABLE, what, table, key, away);
    } catch (AppendOutcomeUnknownException | CommandOutcomeUnknownException unknown) {
      return told(Status.UNEXPECTED_STATE, what, table, key, unknown);
    } catch (RuntimeException failure) {
      return told(Status.ERROR, what, table, key, failure);
    }
  }

  private static Status told(
      Status status, String what, String table, String key, RuntimeException why) {
    LOG.warn("{} of {} in {}: {}", what, key, table, why.getMessage());
    return status;
  }
}
