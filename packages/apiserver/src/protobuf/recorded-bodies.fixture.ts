/** Bodies that kubectl 1.35.2 sent, by its arguments. */
export const recordedBodies: Readonly<Record<string, string>> = {
  'create configmap cm --from-literal=a=b --from-literal=url=http://x/ä --from-file=raw=bin':
    'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEkAKFgoCY20SABoEZGVtbyIAKgAyADgAQgASBgoBYRIBYhISCgN1cmwSC2h0dHA6Ly94L8OkGgoKA3JhdxID//4AGgAiAA==',
  'create namespace team': 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhwKFAoEdGVhbRIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==',
  'create secret generic sec --from-literal=user=admin --type=example.com/x':
    'azhzAAoMCgJ2MRIGU2VjcmV0EjcKFwoDc2VjEgAaBGRlbW8iACoAMgA4AEIAEg0KBHVzZXISBWFkbWluGg1leGFtcGxlLmNvbS94GgAiAA==',
  'create service clusterip svc --tcp=80:8080 --tcp=443:https':
    'azhzAAoNCgJ2MRIHU2VydmljZRKRAQojCgNzdmMSABoEZGVtbyIAKgAyADgAQgBaCgoDYXBwEgNzdmMSZgobCgc4MC04MDgwEgNUQ1AYUCIHCAAQkD8aACgACiIKCTQ0My1odHRwcxIDVENQGLsDIgsIARAAGgVodHRwcygAEgoKA2FwcBIDc3ZjGgAiCUNsdXN0ZXJJUDoAQgBSAFoAYABoABoCCgAaACIA',
  'create service nodeport np --tcp=80 --node-port=30080':
    'azhzAAoNCgJ2MRIHU2VydmljZRJlCiEKAm5wEgAaBGRlbW8iACoAMgA4AEIAWgkKA2FwcBICbnASPAoXCgI4MBIDVENQGFAiBggAEFAaACiA6wESCQoDYXBwEgJucBoAIghOb2RlUG9ydDoAQgBSAFoAYABoABoCCgAaACIA',
  'create service externalname ex --external-name=example.com':
    'azhzAAoNCgJ2MRIHU2VydmljZRJbCiEKAmV4EgAaBGRlbW8iACoAMgA4AEIAWgkKA2FwcBICZXgSMhIJCgNhcHASAmV4GgAiDEV4dGVybmFsTmFtZToAQgBSC2V4YW1wbGUuY29tWgBgAGgAGgIKABoAIgA=',
  'create rolebinding rb --role=r --user=u --serviceaccount=demo:default':
    'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxKJAQoWCgJyYhIAGgRkZW1vIgAqADIAOABCABImCgRVc2VyEhlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvGgF1IgASIQoOU2VydmljZUFjY291bnQSABoHZGVmYXVsdCIEZGVtbxokChlyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvEgRSb2xlGgFyGgAiAA==',
  'create clusterrole cr --verb=get --non-resource-url=/metrics':
    'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIlChIKAmNyEgAaACIAKgAyADgAQgASDwoDZ2V0KggvbWV0cmljcxoAIgA=',
  'create clusterrole agg --aggregation-rule=a=b':
    'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIhChMKA2FnZxIAGgAiACoAMgA4AEIAGgoKCAoGCgFhEgFiGgAiAA==',
  'create clusterrolebinding crb --clusterrole=cr --group=g':
    'azhzAAoyChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEhJDbHVzdGVyUm9sZUJpbmRpbmcSbAoTCgNjcmISABoAIgAqADIAOABCABInCgVHcm91cBIZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxoBZyIAGiwKGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8SC0NsdXN0ZXJSb2xlGgJjchoAIgA=',
  'create serviceaccount sa': 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSGAoWCgJzYRIAGgRkZW1vIgAqADIAOABCABoAIgA=',
  'create deployment dep --image=nginx:1.27 --replicas=3 --port=80':
    'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EsEBCiMKA2RlcBIAGgRkZW1vIgAqADIAOABCAFoKCgNhcHASA2RlcBKLAQgDEgwKCgoDYXBwEgNkZXAacQocCgASABoAIgAqADIAOABCAFoKCgNhcHASA2RlcBJREjMKBW5naW54EgpuZ2lueDoxLjI3KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=',
  'auth can-i --list':
    'azhzAAoxChdhdXRob3JpemF0aW9uLms4cy5pby92MRIWU2VsZlN1YmplY3RSdWxlc1JldmlldxIgChAKABIAGgAiACoAMgA4AEIAEgYKBGRlbW8aBBgAIgAaACIA',
  'auth whoami':
    'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
  'create role rx --verb=get,list --resource=pods,deployments.apps --resource-name=a':
    'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlElYKGQoCcngSABoHZC10eXBlcyIAKgAyADgAQgASFgoDZ2V0CgRsaXN0EgAaBHBvZHMiAWESIQoDZ2V0CgRsaXN0EgRhcHBzGgtkZXBsb3ltZW50cyIBYRoAIgA=',
  'auth can-i get pods --subresource=log':
    'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPwoQCgASABoAIgAqADIAOABCABIhCh8KB2QtdHlwZXMSA2dldBoAIgAqBHBvZHMyA2xvZzoAGggIABIAGgAgABoAIgA=',
};
