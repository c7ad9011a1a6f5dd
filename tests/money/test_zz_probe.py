"""Throwaway probe (not committed)."""
import itertools, json
import pytest
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken
from rest_framework.test import APIClient
from casino.kernel.permissions import Role
from tests.builders import *
from tests.money.cage_building import *
from tests.money.conftest import *  # fixtures
from tables.money import orphans, tips, transfers, funds
from tables.models import *

_keys = itertools.count(500)
def api(user):
    found = APIClient(HTTP_ACCEPT_LANGUAGE="en"); found.raise_request_exception=False
    _k, token = AuthToken.objects.create(user); found.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return found
def post(asking, path, body):
    return asking.post(f"/api/v1/{path}", body, format="json", headers={"Idempotency-Key": f"00000000-0000-4000-8000-{next(_keys):012d}"})
def say(tag, r):
    body = r.content.decode()[:230].replace("\n"," ")
    flag = "!!!" if r.status_code>=500 else ("+++" if r.status_code<300 else "   ")
    print(flag, tag, r.status_code, body if r.status_code>=300 else body[:120])

def test_probe(till):
    house=till.house
    c=api(house.users[Role.CAGE])
    H=[{"denomination":"100.00","count":1}]
    D=f"desks/{till.desk.pk}/"
    for price in ["-100.00","0.001","1e2","100,00","1.000,00","١٠٠.٠٠","NaN","Infinity",100.0,100,True,None,"9"*30,"", {"a":1}, [1], "0", " 100.00 ", "100.000"]:
        say(f"price={price!r}", post(c,D+"sales",{"price":price,"chips":H}))
    for t in ["-1","0.001","9"*16,"99999999999999.99",1e30, "113.05"]:
        say(f"tendered={t!r}", post(c,D+"sales",{"price":"100.00","chips":H,"tendered":t}))
    for ch in [[], None, "x", [{"denomination":"100.00","count":-1}],[{"denomination":"100.00","count":1.5}],[{"denomination":"100.00","count":"1"}],[{"denomination":"100.00","count":True}],[{"denomination":"7.00","count":1}],[{"denomination":"100.00","count":10**30}],[{"denomination":"100.00","count":1},{"denomination":"100.00","count":1}], [{"denomination":"0.00","count":1}]]:
        say(f"redeem={ch!r}"[:80], post(c,D+"redemptions",{"chips":ch}))
        say(f"sell={ch!r}"[:80], post(c,D+"sales",{"price":"100.00","chips":ch}))
    for q in ["desk=9999999999999999999999","desk=1e400","desk=abc","number=99999999999999","year=999999","day=0000-00-00","day=x","since=x","kind=zz","desk=NaN","desk=-1", "number=%00"]:
        say(q, c.get(f"/api/v1/receipts?{q}"))
        if q.startswith("desk"): say("T "+q, c.get(f"/api/v1/transfers?{q}")); say("C "+q, c.get(f"/api/v1/cage-counts?{q}"))
    for q in ["session=99999999999999999999999","day=x","session=abc"]:
        say("tips "+q, c.get(f"/api/v1/tips?{q}"))
    for q in ["number=99999999999999","year=1e9","state=zz"]:
        say("orph "+q, c.get(f"/api/v1/orphans?{q}"))
    for q in ["first=0001-01-01&last=0001-12-31","first=9999-12-01&last=9999-12-31","first=x","", "first=2026-01-01&last=2030-01-01","first=2031-01-01&last=2031-01-31"]:
        say("tax "+q, c.get(f"/api/v1/taxes?{q}"))
    for p in ["desks/99999999999999999999999/sales","receipts/99999999999999999999/void"]:
        say(p, post(c,p,{"price":"100.00","chips":H,"reason":"x","second":"a","second_password":"b"}))
    for d in ["2026-11-20","x",None,5,"9999-99-99"]:
        say(f"draft {d}", post(c,"tip-distributions",{"day":d}))
    # deep texts
    s=house.users[Role.PIT_BOSS].username
    for doc in ["\x00","a"*121," ", "<script>alert(1)</script>", "=cmd()", "\u202e"]:
        say(f"doc {doc[:20]!r}", post(c,"funds/moves",{"amount":"1.00","document":doc,"second":s,"second_password":PASSWORD}))

def test_pages(till):
    house=till.house
    cl=Client(raise_request_exception=False); cl.force_login(house.users[Role.CAGE])
    for typed in [{"price":"-5","means":"cash","n_10000":"1"},{"price":"1.000","n_100000":"1","means":"cash"},{"price":"1,000","n_100":"1","means":"cash"},{"price":"0,001","means":"cash"},{"price":"100","means":"","n_10000":"1"},{"price":"100","means":"cash","n_10000":"1.5"},{"price":"100","means":"cash","n_10000":"-1"},{"price":"100","means":"cash","n_999999999999999":"9999999"},{"price":"9"*40},{"price":"1 000","n_100000":"1","means":"card"}, {"price":"100","means":"cash","n_10000":"١"}]:
        for path in ("/caja/1/vender/","/caja/1/suma/"):
            r=cl.post(path,typed); say(f"{path} {typed}"[:110], r) if r.status_code>=500 or path.endswith("vender/") and r.status_code!=422 else print("   ",path,r.status_code)
    for path in ["/caja/1/canjear/","/caja/1/cambiar/","/caja/traspasos/","/caja/fondos/","/caja/fondos/parar/","/caja/1/arqueo/","/sin-dueno/","/propinas/","/propinas/repartir/"]:
        for typed in [{}, {"form":"zz"}, {"n_10000":"99999999","g_10000":"x","c_20000":"1e5"}, {"desk":"9"*30,"session":"9"*30,"day":"x","second":"\x00"*3,"kind":"drop"}]:
            r=cl.post(path,typed); 
            if r.status_code not in (422,403,401): say(f"{path} {typed}"[:100], r)
    for m in ["","nada","0000-00","9999-12","2999-01","2026-13","2026-02","0001-01","1999-12","2026-1","%00","2026-11-01","9999999-01"]:
        for role in (Role.CAGE,):
            r=cl.get(f"/impuestos/?month={m}"); print("month",m,r.status_code)
    for q in ["/caja/0/","/caja/99999999999999999999/","/caja/recibos/?q=%00","/caja/recibos/?page=zz","/caja/recibos/?desk=999999999999999999999","/caja/recibos/?day=0000","/caja/1/?do=zz","/caja/recibos/999999999999999999999999/","/propinas/?page=-1","/sin-dueno/9999999999999999999999/"]:
        r=cl.get(q); print("get",q,r.status_code)

def test_foreign(till):
    house=till.house
    other=a_house(); oc=a_cage(other)
    mine={r:api(u) for r,u in house.users.items()}
    session=other.close(other.open_table(),FLOAT,drop=100*BOB)
    sold=oc.sell(100*BOB,{100*BOB:1})
    tr=transfers.request_transfer(desk=oc.desk,direction="to_vault",chips_moved={},cash={200*BOB:1},by=oc.by())
    tips.enter_tips(session=session,chips_counted={100*BOB:1},by=other.by(Role.CAGE,CLOSING_TIME))
    dist=tips.draft_tips(day=session.day,by=other.by(Role.CAGE,CLOSING_TIME))
    orp=orphans.enter_orphan(kind="chips",chips_found={100*BOB:1},found_by=other.dealers[0],witness=other.supervisors[0],place="x",by=other.by(Role.CAGE,CLOSING_TIME))
    H=[{"denomination":"100.00","count":1}]
    s={"second":house.users[Role.PIT_BOSS].username,"second_password":PASSWORD,"reason":"porque si"}
    o={"second":other.users[Role.PIT_BOSS].username,"second_password":PASSWORD,"reason":"porque si"}
    for role in (Role.CAGE,Role.COMPLIANCE,Role.PIT_BOSS):
        c=mine[role]
        for path,body in [(f"desks/{oc.desk.pk}/sales",{"price":"100.00","chips":H}),(f"desks/{oc.desk.pk}/redemptions",{"chips":H}),(f"receipts/{sold.pk}/void",s),("transfers",{"desk":oc.desk.pk,"direction":"to_vault","cash":H}),(f"transfers/{tr.pk}/accept",{}),(f"transfers/{tr.pk}/cancel",{"reason":"x y z"}),("cage-counts",{"desk":oc.desk.pk,"moment":"check","chips":H,"cash":H,**s}),("funds/drops",{"session":session.pk,"document":"x1",**s}),("tips",{"session":session.pk,"chips":H}),("tip-distributions",{"day":str(session.day.date)}),(f"tip-distributions/{dist.pk}/approve",s),("orphans",{"kind":"chips","chips":H,"found_by":other.dealers[0].pk,"witness":other.supervisors[0].pk,"place":"x"}),("orphans",{"kind":"chips","chips":H,"found_by":house.dealers[0].pk,"witness":house.supervisors[0].pk,"session":session.pk}),(f"orphans/{orp.pk}/return",{"claimant":"Ana","document":"12345",**s}),(f"orphans/{orp.pk}/pass",s),("funds/moves",{"amount":"1.00","document":"Acta",**o})]:
            r=post(c,path,body)
            if r.status_code not in (403,404,422): say(f"{role} {path}", r)
            elif r.status_code==422: print("   ",role,path,r.json().get("code"),r.json().get("field"))
        for g in [f"receipts/{sold.pk}",f"desks/{oc.desk.pk}/holding",f"orphans/{orp.pk}"]:
            r=c.get(f"/api/v1/{g}"); 
            if r.status_code!=404: say(g,r)
    cl=Client(); cl.force_login(house.users[Role.PIT_BOSS])
    for p in [f"/caja/recibos/{sold.pk}/",f"/sin-dueno/{orp.pk}/"]: print(p, cl.get(p).status_code)
    for p in [f"/caja/recibos/{sold.pk}/anular/",f"/caja/traspasos/{tr.pk}/aceptar/",f"/propinas/{dist.pk}/aprobar/",f"/sin-dueno/{orp.pk}/devolver/"]: print(p, cl.post(p,o).status_code)
