import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import corfu.peers.load.YcsbDriver;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** YCSB on a table, with the statements of YCSB's own binding. */
final class YcsbCassandra extends DB {

  private static final List<String> FIELDS =
      IntStream.range(0, 10).mapToObj(i -> "field" + i).toList();

  private final CqlSession session;
  private final Map<String, PreparedStatement> prepared;

  private YcsbCassandra(CqlSession session, Map<String, PreparedStatement> prepared) {
    this.session = session;
    this.prepared = prepared;
  }

  public static void main(String[] port) throws Exception {
    YcsbDriver.serve(
        () -> {
          ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
          CqlSession session = connect(Integer.parseInt(port[0]));
          Map<String, PreparedStatement> prepared = new ConcurrentHashMap<>();
          return () -> new YcsbCassandra(session, prepared);
        },
        new Properties());
  }

  private static CqlSession connect(int port) {
    DriverConfigLoader patient =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(20))
            .build();
    CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress("127.0.0.1", port))
            .withLocalDatacenter("datacenter1")
            .withConfigLoader(patient)
            .build();
    session.execute(
        "CREATE KEYSPACE ycsb WITH REPLICATION = {'class': 'SimpleStrategy',"
            + " 'replication_factor': 1}");
    session.execute(
        "CREATE TABLE ycsb.usertable (y_id varchar PRIMARY KEY, "
            + FIELDS.stream().map(field -> field + " varchar").collect(Collectors.joining(", "))
            + ")");
    return session;
  }

  private BoundStatement bind(String text, Object... values) {
    return prepared
        .computeIfAbsent(text, session::prepare)
        .bind(values)
        .setConsistencyLevel(ConsistencyLevel.ONE);
  }

  private static void give(Row row, Set<String> fields, Map<String, ByteIterator> result) {
    for (String field : fields == null ? FIELDS : fields) {
      String value = row.getString(field);
      if (value != null) {
        result.put(field, new StringByteIterator(value));
      }
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    Row row = session.execute(bind("SELECT * FROM ycsb.usertable WHERE y_id = ?", key)).one();
    if (row == null) {
      return Status.NOT_FOUND;
    }
    give(row, fields, result);
    return Status.OK;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    BoundStatement scan =
        bind("SELECT * FROM ycsb.usertable WHERE token(y_id) >= token(?) LIMIT ?", startKey, count);
    for (Row row : session.execute(scan)) {
      HashMap<String, ByteIterator> values = new HashMap<>();
      give(row, fields, values);
      result.add(values);
    }
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    List<Object> bound = new ArrayList<>();
    List<String> sets = new ArrayList<>();
    values.forEach(
        (field, value) -> {
          sets.add(field + " = ?");
          bound.add(value.toString());
        });
    bound.add(key);
    session.execute(
        bind(
            "UPDATE ycsb.usertable SET " + String.join(", ", sets) + " WHERE y_id = ?",
            bound.toArray()));
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    List<Object> bound = new ArrayList<>(List.of(key));
    List<String> names = new ArrayList<>(List.of("y_id"));
    values.forEach(
        (field, value) -> {
          names.add(field);
          bound.add(value.toString());
        });
    String places = names.stream().map(name -> "?").collect(Collectors.joining(", "));
    session.execute(
        bind(
            "INSERT INTO ycsb.usertable (" + String.join(", ", names) + ") VALUES (" + places + ")",
            bound.toArray()));
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    session.execute(bind("DELETE FROM ycsb.usertable WHERE y_id = ?", key));
    return Status.OK;
  }
}
