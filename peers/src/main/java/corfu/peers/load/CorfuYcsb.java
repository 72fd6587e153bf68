package corfu.peers.load;

import corfu.ycsb.CorfuClient;
import java.util.Properties;

/** YCSB on Corfu's store, as any user of YCSB's stock client would run it. */
public final class CorfuYcsb {

  private CorfuYcsb() {}

  /** Runs the load; the arguments are the servers' endpoints. */
  public static void main(String[] servers) throws Exception {
    Properties properties = new Properties();
    properties.setProperty(CorfuClient.SERVERS, String.join(",", servers));
    YcsbDriver.serve(() -> CorfuClient::new, properties);
  }
}
